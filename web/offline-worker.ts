import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Plugin } from 'vite'
import { bundleScript } from './page-builds.ts'

/** Beside the hashed files: what pages show, but not what only the installation of the product asks for. */
const unhashed = ['favicon.svg', 'manifest.webmanifest']

/** Writes the service worker of a build, which knows all files of that build: `service-worker.js`. */
export function offlineWorker(): Plugin {
  return {
    name: 'offline-worker',
    apply: 'build',
    writeBundle: {
      // After all pages were written.
      order: 'post',
      async handler({ dir }) {
        if (dir === undefined) throw new Error('the build has no folder')
        const code = await bundleScript('service-worker/service-worker.ts')
        const pages = readdirSync(dir).filter((file) => file.endsWith('.html'))
        const assets = readdirSync(join(dir, 'assets'))
          // Letters neither language needs.
          .filter((file) => /\.(js|css|woff2|svg)$/.test(file) && !file.includes('latin-ext'))
          .toSorted()
        const hash = createHash('sha256').update(code).update(assets.join())
        for (const file of [...pages, ...unhashed]) hash.update(readFileSync(join(dir, file)))
        const build = {
          name: hash.digest('hex').slice(0, 12),
          files: [...assets.map((file) => `/assets/${file}`), ...unhashed.map((file) => `/${file}`)],
          pages: pages.map((file) => `/${file}`),
        }
        writeFileSync(join(dir, 'service-worker.js'), `const BUILD = ${JSON.stringify(build)};\n${code}`)
      },
    },
  }
}
