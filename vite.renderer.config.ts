import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

export default defineConfig({
  root: new URL('./renderer', import.meta.url).pathname,
  // Relative, since the two hosts serve it under different schemes.
  base: './',
  plugins: [react(), tailwindcss()],
  build: {
    outDir: '../dist/renderer',
    emptyOutDir: true,
    target: 'chrome138',
    // The content security policy forbids data: addresses.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    license: { fileName: 'third-party.json' },
    // One file for all pages is better than a bundle warning: nothing travels over a network.
    chunkSizeWarningLimit: 2000,
  },
});
