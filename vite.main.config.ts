import { defineConfig } from 'vite';

/** The bundles in dist/main and the file each starts from. */
const entries = {
  main: 'main/main.ts',
  'browser-main': 'main/host/browser-main.ts',
  cli: 'main/cli/main.ts',
  'audit-index.worker': 'main/audit/index.worker.ts',
  'turns.worker': 'main/turns/turns.worker.ts',
};

export default defineConfig({
  build: {
    ssr: true,
    target: 'node22',
    outDir: 'dist/main',
    minify: false,
    license: { fileName: 'third-party.json' },
    rolldownOptions: {
      input: entries,
      // Chunks lie beside the entries: code that finds a neighbour by import.meta.url may end up in either.
      output: { format: 'es', entryFileNames: '[name].js', chunkFileNames: '[name]-[hash].js' },
    },
  },
  // Everything but these two travels inside the bundle, so that the package needs no node_modules tree.
  ssr: { noExternal: true, external: ['electron', 'better-sqlite3'] },
});
