import type { Plugin } from 'vite'

/**
 * Names in the HTML what `boot.ts` imports first, with all that it needs, so that the browser fetches it beside the boot
 * code and not after it.
 */
export function preloadMain(name = '/src/main.tsx'): Plugin {
  return {
    name: 'preload-main',
    transformIndexHtml: {
      order: 'post',
      handler: (html, { bundle = {} }) => {
        const chunks = Object.values(bundle).filter((one) => one.type === 'chunk')
        const main = chunks.find((chunk) => chunk.moduleIds.some((id) => id.endsWith(name)))
        if (!main) return []
        const needed = new Set([main.fileName, ...main.imports])
        const styles = chunks
          .filter(({ fileName }) => needed.has(fileName))
          .flatMap((chunk) => [...(chunk.viteMetadata?.importedCss ?? [])])
        return [
          ...[...needed]
            // What the boot code itself needs stands there already.
            .filter((file) => !html.includes(file))
            .map((file) => ({ rel: 'modulepreload', crossorigin: '', href: `/${file}` })),
          ...styles.map((file) => ({ rel: 'stylesheet', crossorigin: '', href: `/${file}` })),
        ].map((attrs) => ({ tag: 'link', attrs, injectTo: 'head' as const }))
      },
    },
  }
}
