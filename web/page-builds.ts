// The small builds beside the application's own: the scripts that stand alone, and the frames of the pages.

import react from '@vitejs/plugin-react'
import { mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build, type InlineConfig, type Rolldown } from 'vite'
import { compileMessages } from './compile-messages.ts'
import { designTokens } from './design-tokens.ts'
import { icons } from './icons.ts'
import type { RenderedPages } from './src/member/prerender/render-frames.tsx'

const shared: InlineConfig = {
  configFile: false,
  root: import.meta.dirname,
  logLevel: 'error',
  publicDir: false,
}

/** Bundles a module with all that it imports into one script that is no module. @param entry relative to the web */
export async function bundleScript(entry: string): Promise<string> {
  const output = (await build({
    ...shared,
    plugins: [],
    build: {
      write: false,
      target: 'es2022',
      modulePreload: false,
      rolldownOptions: { input: join(import.meta.dirname, entry), output: { format: 'iife' } },
    },
  })) as Rolldown.RolldownOutput
  const [chunk] = output.output
  return chunk.code.trim()
}

/** Renders the frame of each page in each language. */
export async function renderFrames(): Promise<RenderedPages> {
  // Below the web, so that React is found in the project's node_modules.
  const folder = mkdtempSync(join(import.meta.dirname, '.frames-'))
  try {
    await build({
      ...shared,
      plugins: [react(), icons(), designTokens(), compileMessages()],
      ssr: { noExternal: true, external: ['react', 'react-dom', 'react-dom/server'] },
      build: {
        ssr: 'src/member/prerender/render-frames.tsx',
        outDir: folder,
        rolldownOptions: { output: { entryFileNames: 'render-frames.mjs' } },
      },
    })
    const module = (await import(pathToFileURL(join(folder, 'render-frames.mjs')).href)) as {
      renderPages: () => Promise<RenderedPages>
    }
    return await module.renderPages()
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
