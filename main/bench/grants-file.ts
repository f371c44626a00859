import { fillGrantsTable } from '../db/grants-fill.fixture.ts';

const HOME = '/home/user';

export interface Asked {
  capability: string;
  target: string;
}

/** The n-th grant, of three kinds in turn, with a target that it covers. */
function nth(index: number): Asked & { granted: string } {
  const folder = `dir${index % 997}/sub${index}`;
  switch (index % 3) {
    case 0:
      return { capability: 'fs:read', granted: `~/${folder}/*`, target: `${HOME}/${folder}/file.txt` };
    case 1:
      return { capability: 'network:http', granted: `h${index}.example.org`, target: `h${index}.example.org` };
    default:
      return { capability: 'channel:out', granted: `telegram:user${index}`, target: `telegram:user${index}` };
  }
}

/** Makes a grants.db with so many active grants of one sender. @returns 300 calls that they cover */
export function fillGrants(path: string, count: number): Asked[] {
  fillGrantsTable(path, count, (index) => {
    const { capability, granted } = nth(index);
    return { channel: 'telegram', sender_id: 'roberto', capability, target: granted };
  });
  // All three kinds, also where the step is a multiple of three.
  const step = Math.max(1, Math.floor(count / 300));
  return Array.from({ length: Math.min(300, count) }, (_, index) =>
    nth(step === 1 ? index : (index * step + (index % 3)) % count),
  );
}
