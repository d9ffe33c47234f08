// Fills the design tokens (`src/ui/tokens.ts`) into style sheets and pages.

import type { Plugin } from 'vite'
import { darkColours, lightColours, mediaQueries, paperColours, sizes } from './src/ui/tokens.ts'

const queries = mediaQueries()
const constants = new Map(
  Object.entries(sizes).flatMap(([group, values]) =>
    Object.entries(values).map(([name, value]): [string, string] => [`${group}-${name}`, value]),
  ),
)
const groups = Object.keys(sizes).join('|')

function declare(selector: string, colours: Readonly<Record<string, string>>): string {
  const lines = Object.entries(colours).map(([name, value]) => `--${name}: ${value};`)
  return `${selector} { ${lines.join(' ')} }\n`
}

/** The colours as custom properties: where they are declared, by the name of the style sheet. */
const declarations: Readonly<Record<string, string>> = {
  'global.css': declare(':root', lightColours) + declare(":root[data-color-scheme='dark']", darkColours),
  // Stronger than either theme.
  'paper.css': `@media print { ${declare(':root:root[data-color-scheme]', paperColours)} }\n`,
}

/** A style sheet with its tokens filled in. @param fail is called with the reason where a token does not exist */
export function fillTokens(css: string, fail: (reason: string) => never): string {
  return css
    .replaceAll(/@media[^{]*\{/g, (rule) =>
      rule.replaceAll(/\(--([\w-]+)\)/g, (_, name: string) => queries.get(name) ?? fail(`no breakpoint --${name}`)),
    )
    .replaceAll(
      new RegExp(`var\\(--((?:${groups})-[\\w-]+)\\)`, 'g'),
      (_, name: string) => constants.get(name) ?? fail(`no design token --${name}`),
    )
}

export function designTokens(): Plugin {
  return {
    name: 'design-tokens',
    enforce: 'pre',
    transform: {
      filter: { id: /\/src\/.*\.css$/ },
      handler(css, id) {
        const declared = declarations[/\/ui\/([\w-]+\.css)$/.exec(id)?.[1] ?? ''] ?? ''
        return { code: declared + fillTokens(css, (reason) => this.error(`${id}: ${reason}`)), map: null }
      },
    },
    transformIndexHtml: {
      order: 'pre',
      // `{{light.surface}}` in a page.
      handler: (html) =>
        html.replaceAll(/\{\{(light|dark)\.([\w-]+)\}\}/g, (_, theme: string, name: string) => {
          const colours: Readonly<Record<string, string>> =
            theme === 'dark' ? { ...lightColours, ...darkColours } : lightColours
          const colour = colours[name]
          if (colour === undefined) throw new Error(`the page names no colour: ${theme}.${name}`)
          return colour
        }),
    },
  }
}
