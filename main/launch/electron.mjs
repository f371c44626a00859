import { spawn } from 'node:child_process';
import { accessSync, constants, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './root.mjs';

/** @typedef {'not-installed' | 'no-binary' | 'stale-binary' | 'no-display' | 'hung' | 'broken'} Reason */
/** @typedef {{ok: true, exe: string} | {ok: false, reason: Reason, advice: string}} Electron */

const VERSION_LIMIT_MS = 5000;

/** @param {string} file @returns {string | null} */
function readOrNull(file) {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch {
    return null;
  }
}

/** @param {string} file */
function isExecutable(file) {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** @param {Reason} reason @param {string} advice @returns {Electron} */
const unable = (reason, advice) => ({ ok: false, reason, advice });

/**
 * Asks the binary for its version. Its whole group is ended when it does not answer in time.
 * @param {string} exe
 * @param {number} limitMs
 * @returns {Promise<{kind: 'answer', code: number, text: string, complaint: string} | {kind: 'hung'} | {kind: 'failed', why: string}>}
 */
function askVersion(exe, limitMs) {
  return new Promise((resolve) => {
    const child = spawn(exe, ['--version'], { stdio: ['ignore', 'pipe', 'pipe'], detached: true });
    let text = '';
    let complaint = '';
    child.stdout.on('data', (chunk) => (text += String(chunk)));
    child.stderr.on('data', (chunk) => (complaint += String(chunk)));
    const timer = setTimeout(() => {
      try {
        if (child.pid) process.kill(-child.pid, 'SIGKILL');
      } catch {
        child.kill('SIGKILL');
      }
      child.stdout.destroy();
      child.stderr.destroy();
      resolve({ kind: 'hung' });
    }, limitMs);
    child.on('error', (error) => {
      clearTimeout(timer);
      resolve({ kind: 'failed', why: error.message });
    });
    child.on('close', (code, signal) => {
      clearTimeout(timer);
      if (signal) resolve({ kind: 'failed', why: `it was ended by ${signal}` });
      else resolve({ kind: 'answer', code: code ?? 1, text: text.trim(), complaint: complaint.trim() });
    });
  });
}

/**
 * Whether Electron can run here, found out by looking at its files and asking the binary for its version.
 * The electron module itself is never loaded: without a binary it starts a download that nobody asked for.
 * @param {{root?: string, env?: NodeJS.ProcessEnv, platform?: NodeJS.Platform, limitMs?: number}} [options]
 * @returns {Promise<Electron>}
 */
export async function detectElectron(options = {}) {
  const { root = ROOT, env = process.env, platform = process.platform, limitMs = VERSION_LIMIT_MS } = options;
  const folder = join(root, 'node_modules/electron');
  const install = 'npm start -- --install-electron';
  const manifest = readOrNull(join(folder, 'package.json'));
  if (manifest === null) {
    return unable('not-installed', 'the package electron is not installed; run npm ci, then start again');
  }
  /** @type {string} */
  const wanted = JSON.parse(manifest).version;
  const relative = readOrNull(join(folder, 'path.txt'));
  const exe = env.ELECTRON_OVERRIDE_DIST_PATH
    ? join(env.ELECTRON_OVERRIDE_DIST_PATH, relative ?? 'electron')
    : relative && join(folder, 'dist', relative);
  if (!exe || !isExecutable(exe)) {
    return unable('no-binary', `Electron's binary was never downloaded; ${install} fetches it`);
  }
  const found = readOrNull(join(exe, '../version'))?.replace(/^v/, '') ?? null;
  if (found !== null && found !== wanted) {
    return unable('stale-binary', `Electron's binary is ${found} and Vaglio needs ${wanted}; ${install} fetches it`);
  }
  if (platform === 'linux' && !env.DISPLAY && !env.WAYLAND_DISPLAY) {
    return unable('no-display', 'there is no display (DISPLAY and WAYLAND_DISPLAY are not set); log in to a desktop');
  }
  const answer = await askVersion(exe, limitMs);
  if (answer.kind === 'hung') {
    const seconds = limitMs / 1000;
    return unable('hung', `Electron did not tell its version within ${seconds} s; try ${exe} --version in a terminal`);
  }
  if (answer.kind === 'failed') {
    return unable(
      'broken',
      `Electron's binary does not run (${answer.why}); delete ${join(folder, 'dist')} and use ${install}`,
    );
  }
  if (answer.code !== 0 || !/^v?\d+\./.test(answer.text)) {
    const why = (answer.complaint || answer.text || `exit code ${answer.code}`).split('\n')[0];
    return unable('broken', `Electron's binary does not run (${why}); see what ${exe} --version says`);
  }
  if (answer.text.replace(/^v/, '') !== wanted) {
    return unable(
      'stale-binary',
      `Electron's binary is ${answer.text} and Vaglio needs ${wanted}; ${install} fetches it`,
    );
  }
  return { ok: true, exe };
}
