import type { Plugin, Rolldown } from 'vite'

/** Pages of their own beside `index.html`: the chunks that are named in them too, by which the server picks one. */
const insidePages = { 'inside.html': ['inside'], 'bet.html': ['inside', 'desk'] } as const

/**
 * Names in the HTML what `boot.ts` imports first, with all that it needs, so that the browser fetches it beside the boot
 * code and not after it. Beside `index.html`, for the log-in page, it writes the same page for addresses inside the
 * product, which names what is shown there.
 */
export function preloadMain(name = '/src/main.tsx'): Plugin {
  return {
    name: 'preload-main',
    transformIndexHtml: {
      order: 'post',
      handler: (html, { bundle = {} }) => {
        const chunks = listChunks(bundle)
        const main = chunks.find((chunk) => chunk.moduleIds.some((id) => id.endsWith(name)))
        if (!main) return []
        const needed = filesOf(main, chunks)
        return [
          // What the boot code itself needs stands there already.
          ...needed.scripts
            .filter((file) => !html.includes(file))
            .map((file) => ({ rel: 'modulepreload', crossorigin: '', href: `/${file}` })),
          ...needed.styles.map((file) => ({ rel: 'stylesheet', crossorigin: '', href: `/${file}` })),
          // In the head a style sheet would keep even the mark from showing that stands there until the product runs.
        ].map((attrs) => ({ tag: 'link', attrs, injectTo: attrs.rel === 'stylesheet' ? 'body' : 'head' }))
      },
    },
    generateBundle: {
      order: 'post',
      handler(_options, bundle) {
        const html = bundle['index.html']
        if (html?.type !== 'asset') return
        const page = String(html.source)
        const chunks = listChunks(bundle)
        for (const [fileName, names] of Object.entries(insidePages)) {
          const all = names.map((one) =>
            filesOf(
              chunks.find((chunk) => chunk.name === one)!,
              chunks,
            ),
          )
          const links = [
            ...new Set(all.flatMap(({ scripts }) => scripts)),
            ...new Set(all.flatMap(({ styles }) => styles)),
          ]
            .filter((file) => !page.includes(file))
            .map((file) =>
              file.endsWith('.css')
                ? `<link rel="preload" as="style" crossorigin href="/${file}">`
                : `<link rel="modulepreload" crossorigin href="/${file}">`,
            )
          const source = page.replace('</head>', `  ${links.join('\n    ')}\n  </head>`)
          this.emitFile({ type: 'asset', fileName, source })
        }
      },
    },
  }
}

function listChunks(bundle: Rolldown.OutputBundle): Rolldown.OutputChunk[] {
  return Object.values(bundle).filter((one) => one.type === 'chunk')
}

/** A chunk with all that it imports, and the styles of these. */
function filesOf(chunk: Rolldown.OutputChunk, chunks: readonly Rolldown.OutputChunk[]) {
  const scripts = [chunk.fileName, ...chunk.imports]
  const styles = chunks
    .filter(({ fileName }) => scripts.includes(fileName))
    .flatMap((one) => [...(one.viteMetadata?.importedCss ?? [])])
  return { scripts, styles }
}
