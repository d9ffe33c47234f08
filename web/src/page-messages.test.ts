// Each page names in `messages` the areas of texts that its component uses and that its frame has not loaded. The test
// follows the static imports of the component. A part that is loaded later names its own areas with `loadArea`.

import { existsSync, readFileSync } from 'node:fs'
import { dirname, relative, resolve } from 'node:path'
import { expect, test } from 'vitest'

const root = import.meta.dirname
const sourceOf = (file: string): string => readFileSync(resolve(root, file), 'utf8')
const found = (text: string, pattern: RegExp): string[] => [...text.matchAll(pattern)].map((match) => match[1]!)
const namesIn = (list = ''): string[] => found(list, /'([\w-]+)'/g)

interface Late {
  file: string
  areas: readonly string[]
}
interface Source {
  imports: readonly string[]
  areas: readonly string[]
  late: readonly Late[]
}
const sources = new Map<string, Source>()

function read(file: string): Source {
  const known = sources.get(file)
  if (known) return known
  const text = sourceOf(file)
  const fileAt = (path: string): string => relative(root, resolve(root, dirname(file), path))
  const isCode = (path: string): boolean => /\.tsx?$/.test(path) && existsSync(resolve(root, path))
  const late = [...text.matchAll(/import\(\s*'(\.[^']+)'\)((?:,\s*loadArea\('\w+'\))*)/g)]
  const source = {
    imports: found(text, /^(?:import|export) (?!type )[^;'"`(]*?'(\.[^']+)'/gm)
      .map(fileAt)
      .filter(isCode),
    areas: found(text, /\buseTranslations\(\s*'(\w+)/g),
    late: late.map(([, path, areas]) => ({ file: fileAt(path!), areas: namesIn(areas) })),
  }
  sources.set(file, source)
  return source
}

/** @returns `file` and every file that its static imports reach */
function reach(file: string, reached = new Set<string>()): Set<string> {
  if (reached.has(file)) return reached
  reached.add(file)
  for (const next of read(file).imports) reach(next, reached)
  return reached
}

const without = (areas: Iterable<string>, known: readonly string[]): string[] =>
  [...new Set(areas)].filter((area) => area !== 'common' && !known.includes(area)).toSorted()
const usedBy = (file: string): string[] => [...reach(file)].flatMap((one) => read(one).areas)

/** @returns the parts loaded from `file` and onwards that use areas nobody has loaded by then */
function lateGaps(file: string, loaded: readonly string[], seen = new Set<string>()): string[] {
  return [...reach(file)].flatMap((from) =>
    read(from).late.flatMap(({ file: part, areas }) => {
      if (seen.has(part) || from.endsWith('/pages.ts')) return []
      seen.add(part)
      const gap = without(usedBy(part), [...loaded, ...areas])
      const line = gap.length > 0 ? [`${from} loads ${part} without ${gap.join(', ')}`] : []
      return [...line, ...lateGaps(part, [...loaded, ...areas], seen)]
    }),
  )
}

interface Frame {
  file: string
  areas: readonly string[]
  pages: readonly string[]
}
const frames = ['member/router.tsx', 'console/router.tsx'].map((router): Frame => {
  const text = sourceOf(router)
  const [, areas, path] = /lazyPage\(([^(]+), \(\) => import\('(.+?)'\)/.exec(text)!
  const inside = found(text, /(?:mainRoute|nowhereRoute)\.addChildren\(\[([\s\S]*?)\]\)/g).join()
  return { file: `${dirname(router)}/${path!.slice(2)}`, areas: namesIn(areas), pages: found(inside, /\((\w+)\)/g) }
})

/** @returns the areas that are there wherever the page is shown */
function loadedBefore(page: string): readonly string[] {
  const around = frames.filter(({ pages }) => pages.includes(page)).map(({ areas }) => areas)
  return around[0]?.filter((area) => around.every((areas) => areas.includes(area))) ?? []
}

const pages = Object.keys(import.meta.glob('./**/pages.ts')).flatMap((file) =>
  [...sourceOf(file).matchAll(/export const (\w+) = definePage\(\{([\s\S]*?)\n\}\)/g)].map(([, name, body]) => ({
    name: name!,
    messages: namesIn(/messages: \[(.*?)\]/s.exec(body!)?.[1]),
    component: resolve(root, dirname(file), /component: .*?import\('(.+?)'\)/s.exec(body!)![1]!).slice(root.length + 1),
  })),
)

test('every page is found', () => {
  const routers = sourceOf('member/router.tsx') + sourceOf('console/router.tsx')
  const used = found(routers, /\b(\w+Page)\b(?=.*\} from '.*pages\.ts')/g)
  expect(new Set(pages.map(({ name }) => name))).toEqual(new Set(used))
})

test('a page names the areas that it uses', () => {
  const named = pages.map(({ name, messages }) => [name, messages.toSorted()])
  expect(named).toEqual(pages.map((page) => [page.name, without(usedBy(page.component), loadedBefore(page.name))]))
})

test('a frame names the areas that it uses', () => {
  for (const { file, areas } of frames) expect([file, without(usedBy(file), areas)]).toEqual([file, []])
})

test('a part that is loaded later has its areas', () => {
  const gaps = pages.flatMap(({ name, messages, component }) =>
    lateGaps(component, [...loadedBefore(name), ...messages]),
  )
  expect([...gaps, ...frames.flatMap(({ file, areas }) => lateGaps(file, areas))]).toEqual([])
})
