import react from '@vitejs/plugin-react';
import { defineConfig } from 'vitest/config';

// No test is about speed: a limit only ends what hangs, also on a machine that many share.
const limits = { testTimeout: 120_000, hookTimeout: 120_000 };

// Each worker thread of the sources takes their types out with a WebAssembly module of Node's own, and V8 ends the
// process now and then when two threads exchange the wrapper of the same import for a faster one ("Check failed:
// jit_page.has_value()", or SIGSEGV). With this budget none is exchanged. The built program has no use for it.
const execArgv = ['--wasm-wrapper-tiering-budget=1000000000'];

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          ...limits,
          name: 'engine',
          environment: 'node',
          execArgv,
          include: ['main/**/*.test.ts', 'shared/**/*.test.ts'],
        },
        // Outside Electron the real module starts a download when it is imported.
        resolve: { alias: { electron: new URL('./main/app/electron.stand-in.ts', import.meta.url).pathname } },
      },
      {
        plugins: [react()],
        test: {
          ...limits,
          name: 'renderer',
          environment: 'happy-dom',
          include: ['renderer/**/*.test.ts', 'renderer/**/*.test.tsx'],
        },
      },
    ],
  },
});
