import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { compileMessages } from './compile-messages.ts'
import { noSchemas } from './no-schemas.ts'

const api = `http://127.0.0.1:${process.env.API_PORT ?? 3000}`

export default defineConfig({
  plugins: [react(), compileMessages(), noSchemas()],
  optimizeDeps: { exclude: ['use-intl'] },
  build: {
    outDir: 'dist',
    target: 'es2022',
    // Every asset stays a hashed file: the content security policy allows no data: scripts, and files cache better.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
  server: {
    proxy: Object.fromEntries(['/megalot', '/mgluser', '/api', '/live', '/ready'].map((path) => [path, api])),
  },
})
