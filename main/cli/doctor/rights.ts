import { lstatSync } from 'node:fs';
import type { Paths } from '../../engine/paths.ts';
import type { Finding } from './finding.ts';

const OTHERS_WRITE = 0o022;
const OTHERS_READ = 0o044;

/** Who else may read or change what the engine goes by (files page: folders 0700, files 0600). */
export function checkRights(paths: Paths): Finding[] {
  if (process.platform === 'win32') return [];
  const { stateDir, verdictLog, turnLog, grantsDb, approvalsDb, pairingsDb, panelDb, configFile, lockFile } = paths;
  const findings: Finding[] = [];
  const look = (path: string, isFolder: boolean, isSecret: boolean): void => {
    const wanted = isFolder ? '700' : '600';
    const told = rightsOf(path, wanted, isSecret);
    if (told !== null) findings.push(told);
  };
  for (const folder of [stateDir, verdictLog, turnLog]) look(folder, true, false);
  for (const file of [grantsDb, approvalsDb, pairingsDb, panelDb, configFile]) look(file, false, false);
  look(lockFile, false, true);
  if (findings.length > 0) return findings;
  return [{ name: 'rights', state: 'ok', detail: 'No other user may change what the engine goes by.' }];
}

/** @returns null when nothing is wrong with it, or it is not there */
function rightsOf(path: string, wanted: string, isSecret: boolean): Finding | null {
  const name = 'rights';
  try {
    const found = lstatSync(path, { throwIfNoEntry: false });
    if (found === undefined || found.isSymbolicLink()) return null;
    const mode = (found.mode & 0o777).toString(8);
    const cure = `Run chmod ${wanted} on it.`;
    if (found.uid !== process.getuid?.()) {
      return { name, state: 'failed', detail: `${path} belongs to another user.` };
    }
    if ((found.mode & OTHERS_WRITE) !== 0) {
      return { name, state: 'failed', detail: `${path} may be changed by other users (mode ${mode}). ${cure}` };
    }
    if ((found.mode & OTHERS_READ) === 0) return null;
    const state = isSecret ? 'failed' : 'warning';
    return { name, state, detail: `${path} may be read by other users (mode ${mode}). ${cure}` };
  } catch (error) {
    return { name, state: 'failed', detail: `${path} cannot be looked at: ${String(error)}` };
  }
}
