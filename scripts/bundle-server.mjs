// Bundles the server into a folder of the checkout: `server/dist` for the build, and a separate one for tests that
// start the application as a process, because a bundle starts in half the time.

import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { root } from './run-step.mjs'

/** @param {string} outdir a folder in the checkout, because the server finds its files by walking up from it */
export async function bundleServer(outdir) {
  // Not at the top of the file: before installation there is nothing to import.
  const { build } = await import('esbuild')
  await build({
    absWorkingDir: root,
    entryPoints: { main: 'server/src/main.ts', office: 'server/src/cli/office.ts' },
    outdir,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    packages: 'external',
    // Our own workspaces are TypeScript sources and must be bundled.
    alias: {
      '@megalot/contract': join(root, 'contract/src/index.ts'),
      '@megalot/rules': join(root, 'rules/src/index.ts'),
    },
    sourcemap: true,
    logLevel: 'warning',
  })
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) await bundleServer(process.argv[2])
