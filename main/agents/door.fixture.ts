/** Opens a door with a stand-in line at the path in argv, in a process of its own that a test may kill. */
import { standInLine } from './line.stand-in.ts';
import { openAgentDoor } from './socket-server.ts';

const path = process.argv[2] ?? '';
const turns = { step: () => true, end: () => true };
const door = await openAgentDoor({ path, line: standInLine().line, turns, version: '0', log: console.error });
process.stdout.write(`open ${door.path}\n`);
