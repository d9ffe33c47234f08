// Writes a first script inline into a built page, ahead of its style sheets, for which it would wait.

import type { Plugin } from 'vite'
import { bundleScript } from './page-builds.ts'

/** @param entry the script's module, relative to the web */
export function inlineFirstScript(entry: string): Plugin {
  return {
    name: 'inline-first-script',
    transformIndexHtml: {
      order: 'post',
      async handler(html) {
        const script = await bundleScript(entry)
        // The server allows scripts without attributes by their hash.
        return html.replace('</title>', () => `</title>\n    <script>${script}</script>`)
      },
    },
  }
}
