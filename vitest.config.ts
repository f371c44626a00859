import react from '@vitejs/plugin-react';
import { defineConfig } from 'vitest/config';

// No test is about speed: a limit only ends what hangs, also on a machine that many share.
const limits = { testTimeout: 120_000, hookTimeout: 120_000 };

export default defineConfig({
  test: {
    projects: [
      {
        test: { ...limits, name: 'engine', environment: 'node', include: ['main/**/*.test.ts', 'shared/**/*.test.ts'] },
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
