import { defineConfig } from 'vite';

/** A sandboxed preload is one CommonJS file: it can require nothing but electron. */
export default defineConfig({
  build: {
    ssr: 'main/preload.ts',
    target: 'node22',
    outDir: 'dist/main',
    emptyOutDir: false,
    minify: false,
    rolldownOptions: { output: { format: 'cjs', entryFileNames: 'preload.cjs', codeSplitting: false } },
  },
  ssr: { noExternal: true, external: ['electron'] },
});
