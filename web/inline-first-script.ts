// Writes a first script inline into a built page, ahead of its style sheets, for which it would wait.

import type { Plugin } from 'vite'
import { bundleScript } from './page-builds.ts'
import { findFontSheet } from './write-pages.ts'

/** @param entry the script's module, relative to the web */
export function inlineFirstScript(entry: string): Plugin {
  return {
    name: 'inline-first-script',
    transformIndexHtml: {
      order: 'post',
      async handler(html, { bundle }) {
        const script = await bundleScript(entry)
        // The server allows scripts without attributes by their hash.
        const fontSheet = bundle === undefined ? '' : ` data-web-font="/${findFontSheet(bundle)}"`
        return html
          .replace(/<html\b/, (tag) => tag + fontSheet)
          .replace('</title>', () => `</title>\n    <script>${script}</script>`)
      },
    },
  }
}
