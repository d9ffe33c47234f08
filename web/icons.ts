// Serves `~icons/NAME`: an icon of the Tabler set (MIT) as a React component. A build contains the imported icons alone.

import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import type { Plugin } from 'vite'

const PREFIX = '~icons/'
const RESOLVED = `\0${PREFIX}`

const componentFile = join(import.meta.dirname, 'src/ui/icon.ts')

/** What `src/ui/icon.ts` sets on the whole icon. */
const outlineAttributes =
  ' fill="none" stroke="currentColor" stroke-linecap="round" stroke-linejoin="round" stroke-width="2"'
const filledAttributes = ' fill="currentColor"'

/** The path data of an icon. @throws Error if it is drawn by more than paths, which `src/ui/icon.ts` cannot show */
function listPaths(body: string, attributes: string): string[] {
  const drawn = body.replaceAll(attributes, '').replaceAll(/<\/?g>/g, '')
  if (!/^(<path d="[^"]+"\/>)+$/.test(drawn)) throw new Error(`this icon is more than paths: ${body}`)
  return Array.from(drawn.matchAll(/ d="([^"]+)"/g), ([, data = '']) => data)
}

type IconSet = Record<string, { body: string }>

function readSet(): IconSet {
  const file = createRequire(import.meta.url).resolve('@iconify-json/tabler/icons.json')
  return (JSON.parse(readFileSync(file, 'utf8')) as { icons: IconSet }).icons
}

export function icons(): Plugin {
  let set: IconSet | undefined
  return {
    name: 'icons',
    resolveId: (id) => (id.startsWith(PREFIX) ? `\0${id}` : null),
    load(id) {
      if (!id.startsWith(RESOLVED)) return null
      set ??= readSet()
      const body = set[id.slice(RESOLVED.length)]?.body
      if (body === undefined) return this.error(`there is no icon ${id.slice(RESOLVED.length)}`)
      const isOutline = body.includes(outlineAttributes)
      const paths = listPaths(body, isOutline ? outlineAttributes : filledAttributes)
      return [
        `import { ${isOutline ? 'outlineIcon' : 'filledIcon'} as make } from ${JSON.stringify(componentFile)}`,
        `export default /* @__PURE__ */ make(${paths.map((data) => JSON.stringify(data)).join(', ')})`,
      ].join('\n')
    },
  }
}
