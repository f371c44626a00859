import { defineConfig } from 'vite';

/**
 * The hook that agents start for every call: one CommonJS file, which Node starts faster than modules, and which runs
 * wherever it lies.
 */
export default defineConfig({
  build: {
    ssr: 'main/agents/hook/main.ts',
    target: 'node22',
    outDir: 'dist/main',
    emptyOutDir: false,
    minify: false,
    rolldownOptions: { output: { format: 'cjs', entryFileNames: 'hook.cjs', codeSplitting: false } },
  },
  ssr: { noExternal: true },
});
