import react from '@vitejs/plugin-react';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    projects: [
      {
        test: { name: 'engine', environment: 'node', include: ['main/**/*.test.ts', 'shared/**/*.test.ts'] },
        // Outside Electron the real module starts a download when it is imported.
        resolve: { alias: { electron: new URL('./main/app/electron.stand-in.ts', import.meta.url).pathname } },
      },
      {
        plugins: [react()],
        test: {
          name: 'renderer',
          environment: 'happy-dom',
          include: ['renderer/**/*.test.ts', 'renderer/**/*.test.tsx'],
        },
      },
    ],
  },
});
