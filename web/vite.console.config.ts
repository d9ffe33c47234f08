import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { compileMessages } from './compile-messages.ts'
import { designTokens } from './design-tokens.ts'
import { icons } from './icons.ts'
import { inlineFirstScript } from './inline-first-script.ts'

// The operators' console, a build of its own beside that of the member app: the two share no file, because a chunk that
// both load would start the member app too (`vite.config.ts` groups its first chunk around its entry), and nobody uses both.
export default defineConfig({
  plugins: [react(), icons(), designTokens(), compileMessages(), inlineFirstScript('src/console/first-script.ts')],
  publicDir: false,
  build: {
    outDir: 'dist',
    // The build of the member app ran before.
    emptyOutDir: false,
    assetsDir: 'assets/console',
    // For `scripts/web-sizes.mjs`.
    manifest: '.vite/manifest-console.json',
    target: 'es2022',
    // As in the member app: the content security policy allows no data: scripts.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      input: 'console.html',
      output: {
        codeSplitting: {
          groups: [
            {
              name: 'libraries',
              test: /\/node_modules\/(react-dom|react|scheduler|@tanstack\/(react-)?(router|query|store|history))/,
              priority: 3,
            },
            { name: 'frame', test: /\/src\/console\/(main|shell\/console-layout)\.tsx$/, priority: 2 },
            // What the lists of the console share.
            {
              name: 'grid',
              test: /\/node_modules\/virtua\/|\/src\/ui\/grid\/(data-grid|use-grid-focus|grid-selection)/,
              priority: 2.5,
            },
            // Measured late, so in a file of its own with all it imports.
            { name: 'vitals', test: /\/src\/lib\/page\/vitals\.ts$/, priority: 2.5 },
            { name: 'rules', test: /\/rules\/src\//, priority: 1.5 },
            // Small parts that pages share come in one file, not in many.
            {
              name: 'shared',
              test: /\/src\/(ui|lib)\/(?!.*\.(?:th|en)\.ts$|order-status|infinite|virtual|wide-table|table|segmented|day-field|grid\/|select-field|checkbox|first-focus|qr-code|forms\/).*(tsx?|css)$|\/contract\/src\/|\/shared\/markets\/(queries|replies)\.ts$/,
              priority: 1,
            },
          ],
        },
      },
    },
  },
})
