import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { compileMessages } from './compile-messages.ts'
import { noSchemas } from './no-schemas.ts'
import { preloadMain } from './preload-main.ts'

const api = `http://127.0.0.1:${process.env.API_PORT ?? 3000}`

export default defineConfig({
  plugins: [react(), compileMessages(), noSchemas(), preloadMain()],
  optimizeDeps: { exclude: ['use-intl'] },
  build: {
    outDir: 'dist',
    // What belongs to what, for `scripts/web-sizes.mjs`.
    manifest: true,
    target: 'es2022',
    // Every asset stays a hashed file: the content security policy allows no data: scripts, and files cache better.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      output: {
        // What every first visit needs, whatever it shows: one file compresses better than the pieces the boot code splits it into.
        codeSplitting: {
          groups: [
            {
              name: 'frame',
              test: /\/node_modules\/(react|react-dom|scheduler|use-intl|zustand|@tanstack\/(react-router|router-core|history|react-store|store))\//,
            },
            // What all forms on the way in are made of, for the same reason.
            {
              name: 'way-in',
              test: /\/node_modules\/@mantine\/core\/esm\/components\/(Button|Loader|PasswordInput|TextInput|InputBase|InputClearButton|Input|ActionIcon|CloseButton)\/|\/src\/features\/auth\/(auth-frame|captcha-field|use-captcha|queries|login-rules)|\/src\/lib\/(use-fields|random-uuid)|\/src\/ui\/(choice-row|language-switch|notice|failure-text)/,
            },
          ],
        },
      },
    },
  },
  server: {
    proxy: Object.fromEntries(['/megalot', '/mgluser', '/api', '/live', '/ready'].map((path) => [path, api])),
  },
})
