import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'
import { serverPrefixes } from '../contract/src/server-paths.ts'
import { CONSOLE_FILE, isConsolePath } from '../contract/src/web-pages.ts'
import { compileMessages } from './compile-messages.ts'
import { designTokens } from './design-tokens.ts'
import { icons } from './icons.ts'
import { offlineWorker } from './offline-worker.ts'
import { writePages } from './write-pages.ts'

const api = `http://127.0.0.1:${process.env.API_PORT ?? 3000}`

/** In development both applications come from one server; each is built by a configuration of its own. */
function consolePages(): Plugin {
  return {
    name: 'console-pages',
    apply: 'serve',
    configureServer({ middlewares }) {
      middlewares.use((request, _response, next) => {
        const [pathname = ''] = (request.url ?? '').split('?')
        if (isConsolePath(pathname) && request.headers.accept?.includes('text/html')) request.url = `/${CONSOLE_FILE}`
        next()
      })
    },
  }
}

export default defineConfig({
  plugins: [react(), icons(), designTokens(), compileMessages(), writePages(), offlineWorker(), consolePages()],
  // React has had this hook since version 18: libraries that support older ones bring it a second time.
  resolve: { alias: [{ find: /^use-sync-external-store\/shim(\/index\.js)?$/, replacement: 'react' }] },
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
        // The frame names every file: shorter hashes make the first visit shorter.
        chunkFileNames: 'assets/[name]-[hash:7].js',
        assetFileNames: 'assets/[name]-[hash:6][extname]',
        // Few files instead of the many that sharing alone would make: on a slow network each costs a round trip, and a
        // larger one packs better. A group takes along what its modules import, but for what stands in a group before it.
        codeSplitting: {
          groups: [
            // The browser has few values of the design tokens, and no first page has any.
            { name: 'tokens', test: /\/src\/ui\/tokens\.ts$/, priority: 8 },
            { name: 'layout', test: /\/src\/ui\/layout\./, priority: 2.7 },
            // The largest part of the frame is a file beside the rest of it: two connections fill the line sooner than one.
            { name: 'dom', test: /\/node_modules\/(react-dom|scheduler)\/|rolldown\/runtime/, priority: 7 },
            // What every first visit needs, whatever it shows, and what the log-in page and the pages inside share.
            {
              name: 'frame',
              test: /~icons\/refresh$|\/src\/(member\/main\.tsx|ui\/(alert|button|text-input|segmented-control|language-switch|logo)\.tsx|lib\/(device\/random-uuid|forms\/(use-form|use-send)|errors\/use-error-message|user\/current-user)\.ts)$/,
              priority: 6,
            },
            // Loaded only where somebody is asked, or has switched pushes on.
            {
              name: 'push',
              test: /\/src\/(lib\/user\/push\.ts|member\/push\/(push-offer|use-push)\.tsx?)$/,
              priority: 5,
            },
            // Measured late, so in a file of its own with all it imports.
            { name: 'vitals', test: /\/src\/lib\/page\/vitals\.ts$/, priority: 5 },
            // What all forms on the way in are made of.
            {
              name: 'way-in',
              test: /\/src\/(member\/auth\/(login-page|captcha-field|use-captcha|queries)|shared\/account\/(auth-frame|login-rules))\.tsx?$/,
              priority: 4,
            },
            // The words of the bet page and of what stands around it: one file a language.
            { name: 'words-th', test: /\/(shell|user|bet|entry)\.th\.ts$/, priority: 4 },
            { name: 'words-en', test: /\/(shell|user|bet|entry)\.en\.ts$/, priority: 4 },
            // Pages of one entry of the menu, between which one goes to and fro: each file less is a line less in the frame,
            // which names them all.
            { name: 'icons', test: /~icons\/(chevron-down|search|tools)$/, priority: 3.5 },
            // Long lists, of which only what is near the screen is drawn.
            {
              name: 'lists',
              test: /\/node_modules\/virtua\/|\/src\/ui\/(virtual-table|infinite-scroll|load-more)\.|\/react-query\/.*\/useInfiniteQuery\./,
              priority: 2.5,
            },
            { name: 'reports', test: /\/src\/shared\/reports\/(?!charts|print|reports\.(?:th|en))/, priority: 1 },
            { name: 'awards', test: /\/src\/shared\/results\/(?!awards\.(?:th|en))/, priority: 1 },
            // What stands around every page inside, and what several of these pages share.
            {
              name: 'inside',
              test: /\/src\/member\/shell\/main-layout\.tsx$|\/src\/(?!.*\.(?:th|en)\.ts$)(ui\/(?!layout|virtual-table|infinite-scroll|load-more|first-focus).*\.|(lib|shared\/(markets\/(?!market-facts|rate-)|announcements\/notices|print|feedback|tickets\/orders\/(queries|copied-ticket)))[/.]?.*)(tsx?|css)$|\/(contract|rules)\/src\/(?!chat-)/,
              priority: 3,
            },
            // What the bet page and its parts, which are fetched later, share.
            {
              name: 'desk',
              test: /\/src\/(shared\/markets\/rate-queries\.ts|member\/bet\/(bet-page\.tsx|entry\/(amount-fields|quick-stakes|entry)\.tsx?|board\/number-mark\.tsx))$/,
              priority: 1,
            },
          ],
        },
      },
    },
  },
  server: {
    proxy: Object.fromEntries(serverPrefixes.map((path) => [path, api])),
  },
})
