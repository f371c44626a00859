import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { createEngine } from '../engine/engine.ts';

/** The other process of the socket rows: a bare echo, and an engine with its door, in one and the same process. */
export async function serveForBench(home: string): Promise<void> {
  const echoPath = join(home, 'echo.sock');
  const echo = createServer((socket) => socket.on('data', (bytes) => socket.write(bytes)));
  echo.listen(echoPath);
  await once(echo, 'listening');
  const log = (line: string): void => void process.stderr.write(`${line}\n`);
  const engine = await createEngine({
    env: {},
    home,
    clock: Date.now,
    host: 'serve',
    demo: false,
    agentDoor: true,
    log,
  });
  process.stdout.write(`${JSON.stringify({ echo: echoPath, door: engine.door?.health().path })}\n`);
  await once(process.stdin.resume(), 'end');
  await engine.close();
  echo.close();
  rmSync(echoPath, { force: true });
  process.exit(0);
}
