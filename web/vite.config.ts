import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { compileMessages } from './compile-messages.ts'
import { noSchemas } from './no-schemas.ts'
import { offlineWorker } from './offline-worker.ts'
import { preloadMain } from './preload-main.ts'

const api = `http://127.0.0.1:${process.env.API_PORT ?? 3000}`

export default defineConfig({
  plugins: [react(), compileMessages(), noSchemas(), preloadMain(), offlineWorker()],
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
      // What stands for the schemas of the contract does nothing (`no-schemas.ts`).
      treeshake: { manualPureFunctions: ['z', 'defineRoute'] },
      output: {
        // Few files instead of the many that sharing alone would make: on a slow network each costs a round trip, and a
        // larger one packs better. A group takes along what its modules import, but for what stands in a group before it.
        codeSplitting: {
          groups: [
            // What the first code that runs needs to ask for the member and what is shown: it waits for nothing else.
            {
              name: 'first',
              test: /\/src\/(lib\/(user\/current-user|i18n\/language-store)|features\/(markets\/replies|bet\/entry-styles))\.ts$/,
              priority: 7,
            },
            // The largest part of the frame comes beside the rest of it: two new connections fill the line sooner than one.
            { name: 'dom', test: /\/node_modules\/(react-dom|scheduler)\//, priority: 6.5 },
            // What every first visit needs, whatever it shows.
            { name: 'frame', test: /\/src\/main\.tsx$/, priority: 6 },
            // What the log-in page and the pages inside share.
            {
              name: 'parts',
              test: /\/src\/ui\/(alert|segmented-control|language-switch|logo|theme-switch)\.tsx$|\/IconRefresh\.mjs$|\/src\/lib\/(device\/random-uuid|forms\/use-fields|errors\/use-error-message)\.ts$|@mantine\/core\/.*\/Button\.mjs$|@mantine\/core\/styles\/(UnstyledButton|Loader|Button)\.css$/,
              priority: 5,
            },
            {
              name: 'fields',
              test: /@mantine\/core\/.*\/(InputBase|TextInput)\.mjs$|\/CloseButton\.css$/,
              priority: 4,
            },
            // What all forms on the way in are made of.
            {
              name: 'way-in',
              test: /\/src\/features\/auth\/(auth-frame|captcha-field|use-captcha|queries|login-rules)\.tsx?$/,
              priority: 4,
            },
            // What stands around every page inside.
            {
              name: 'inside',
              test: /\/src\/app\/shell\/main-layout\.tsx$|\/src\/features\/markets\/queries\.ts$/,
              priority: 3,
            },
            // What the bet page and its parts, which are fetched later, share.
            {
              name: 'desk',
              test: /\/src\/features\/bet\/(bet-page\.tsx|queries\.ts|entry\/(amount-fields|quick-stakes|entry)\.tsx?|board\/number-mark\.tsx)$/,
              priority: 1,
            },
            // Pages of one entry of the menu, between which one goes to and fro: each file less is a line less in the frame,
            // which names them all.
            { name: 'search', test: /\/IconSearch\.mjs$/, priority: 2.5 },
            // Lists that are asked for in parts; not all of them are so long that only what is near the screen is drawn.
            { name: 'parts-of-lists', test: /[iI]nfiniteQuery\w*\.|\/src\/ui\/load-more\./, priority: 2.6 },
            {
              name: 'lists',
              test: /\/node_modules\/virtua\/|[iI]nfiniteQuery\w*\.|\/src\/ui\/(virtual-table|infinite-scroll|load-more)\./,
              priority: 2.5,
            },
            { name: 'reports', test: /\/src\/features\/reports\/(?!charts|print)/, priority: 1 },
            { name: 'oversight', test: /\/src\/features\/oversight\//, priority: 1 },
            { name: 'awards', test: /\/src\/features\/awards\//, priority: 1 },
            // What several pages inside share.
            {
              name: 'pages',
              test: /\/src\/(ui|lib|features\/(markets|notices|print|orders\/(queries|copied-ticket)))[/.].*(tsx?|css)$|\/(contract|rules)\/src\/|\/react-query\/.*\/useMutation\./,
              priority: 2,
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
