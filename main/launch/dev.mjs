import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { node24 } from './node.mjs';
import { note, ROOT, runMain } from './root.mjs';
import { prepare } from './setup.mjs';

const ENGINE_PORT = 5174;
const PAGE_PORT = 5173;

/** The panel from source: Vite serves the page, the browser host is run from its sources and again on each change. */
await runMain(async () => {
  const args = process.argv.slice(2);
  const other = await prepare(fileURLToPath(import.meta.url), args);
  if (other !== null) return other;
  const { createServer } = await import('vite');
  // The host lets in its own address only, so the proxy speaks as that address.
  const engine = { target: `http://127.0.0.1:${ENGINE_PORT}`, changeOrigin: true };
  const server = await createServer({
    configFile: join(ROOT, 'vite.renderer.config.ts'),
    server: {
      host: '127.0.0.1',
      port: PAGE_PORT,
      strictPort: true,
      proxy: { '^/trpc$': { ...engine, ws: true, rewriteWsOrigin: true }, '^/enter': engine },
    },
  });
  await server.listen();
  const host = spawn(
    node24(),
    ['--watch', 'main/host/browser-main.ts', '--no-open', '--port', String(ENGINE_PORT), ...args],
    { cwd: ROOT, stdio: ['inherit', 'pipe', 'inherit'] },
  );
  host.stdout.on('data', (chunk) => {
    process.stdout.write(String(chunk).replaceAll(`127.0.0.1:${ENGINE_PORT}`, `127.0.0.1:${PAGE_PORT}`));
  });
  /** @type {Promise<number>} */
  const ended = new Promise((resolve) => host.on('close', (code) => resolve(code ?? 0)));
  for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM'])) process.on(signal, () => void host.kill(signal));
  note('The engine runs again after each change and prints a new link; the page reloads by itself.');
  const code = await ended;
  await server.close();
  return code;
});
