// The download size of the web: JavaScript and style sheets, compressed as the server sends them to a browser with only
// gzip, in kB of 1,000 bytes. `npm run check` fails if a budget is exceeded.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { buildWeb, webManifests } from './build.mjs'
import { endWithSignals, root, runScript } from './run-step.mjs'

/**
 * Budgets of a first visit to the log-in page, of a first visit to the operators' console, and of a page beyond the
 * files shared by every page; the bet page has its own.
 */
export const budgets = { login_kb: 125, console_kb: 180, page_kb: 60, bet_kb: 45 }

function budgetOf(page) {
  return page === 'bet' ? budgets.bet_kb : budgets.page_kb
}

const entries = ['frame']
const frame = ['inside']
/** The texts of the shared files and of the bet page are one file, which counts as the bet page's. */
const words = 'words-th'
const login = ['way-in', 'src/member/auth/auth.th.ts']

/** Files that a page shows at once besides its own file and texts: further texts, and the largest of several parts. */
const styles = 'src/member/bet/entry'
const beside = {
  bet: {
    always: [words],
    oneOf: [`${styles}/grid/grid-style.tsx`, `${styles}/builder/builder.tsx`, `${styles}/mobile/keypad-entry.tsx`],
  },
}

/** The texts of a room where they have another name. */
const areaOfRoom = { tickets: 'bills', results: 'awards', limits: 'account' }

const findTexts = (manifest, area) => Object.keys(manifest).find((name) => name.endsWith(`/${area}.th.ts`))

/** Files of a build's manifest that these entries load, each once. */
export function listFiles(manifest, entries) {
  const files = new Set()
  const seen = new Set()
  const visit = (name) => {
    if (seen.has(name)) return
    seen.add(name)
    const chunk = manifest[name] ?? Object.values(manifest).find((one) => one.name === name)
    if (!chunk) throw new Error(`the web's build holds no ${name}`)
    for (const file of [chunk.file, ...(chunk.css ?? [])]) if (/\.(js|css)$/.test(file)) files.add(file)
    for (const other of chunk.imports ?? []) visit(other)
  }
  for (const name of entries) visit(name)
  return files
}

function measure(files) {
  const bytes = [...files].map((file) => readFileSync(join(root, 'web/dist', `${file}.gz`)).length)
  return Math.round(bytes.reduce((sum, each) => sum + each, 0) / 100) / 10
}

/** The sizes of the current build. */
export function measureWebSizes() {
  const manifest = JSON.parse(readFileSync(join(root, webManifests, 'manifest.json'), 'utf8'))
  const first = listFiles(manifest, entries)
  const framed = new Set([...first, ...listFiles(manifest, frame)])
  const measurePage = (page, feature, name) => {
    const { always = [], oneOf = [] } = beside[page] ?? {}
    const choices = oneOf.length === 0 ? [[]] : oneOf.map((part) => [part])
    const weights = choices.map((choice) => {
      const area = findTexts(manifest, areaOfRoom[feature] ?? feature)
      const texts = always.includes(words) || area === undefined ? [] : [area]
      const own = listFiles(manifest, [name, ...texts, ...always, ...choice])
      return measure([...own].filter((file) => !framed.has(file)))
    })
    return [page, Math.max(...weights)]
  }
  const pages = Object.keys(manifest)
    .map((name) => [name, /^src\/(?:member|shared)\/([\w-]+)\/([\w-]+)-page\.tsx$/.exec(name)])
    .filter(([, found]) => found && found[1] !== 'auth')
    .map(([name, [, feature, page]]) => measurePage(page, feature, name))
  // Their files are those they share with their parts, or with each other.
  pages.unshift(measurePage('bet', 'bet', 'desk'))
  for (const name of ['reports', 'awards']) pages.push(measurePage(name, name, name))
  const { console_kb, pages: consolePages } = measureConsole()
  return {
    login_kb: measure(new Set([...first, ...listFiles(manifest, login)])),
    console_kb,
    pages: { ...Object.fromEntries(pages), ...consolePages },
  }
}

/** The console's first page: its shell, and the list of periods. */
const consoleFrame = [
  'frame',
  ...['src/lib/user/user', 'src/console/shell/console', 'src/ui/grid/grid'].map((area) => `${area}.th.ts`),
]
const consoleFirstPage = 'src/console/day/periods/periods-page.tsx'

/** The sizes of the console, a separate build: its first visit, and each page beyond what that has loaded. */
function measureConsole() {
  const manifest = JSON.parse(readFileSync(join(root, webManifests, 'manifest-console.json'), 'utf8'))
  const first = listFiles(manifest, [...consoleFrame, consoleFirstPage])
  const pages = Object.keys(manifest)
    .filter((name) => name !== consoleFirstPage && /^src\/(shared|console)\/.*-page\.tsx$/.test(name))
    .map((name) => {
      const area = findTexts(manifest, name.split('/').at(-2))
      const own = listFiles(manifest, [name, ...(area === undefined ? [] : [area])])
      const title = name.replace(/^.*\/([\w-]+)-page\.tsx$/, 'console $1')
      return [title, measure([...own].filter((file) => !first.has(file)))]
    })
  return { console_kb: measure(first), pages: Object.fromEntries(pages) }
}

/** A message for each exceeded budget. */
export function checkSizes({ login_kb, console_kb, pages }) {
  const excess = Object.entries(pages)
    .filter(([page, kb]) => kb > budgetOf(page))
    .map(([page, kb]) => `The ${page} page loads ${kb} kB of its own; it may load ${budgetOf(page)} kB.`)
  if (login_kb > budgets.login_kb)
    excess.unshift(`The first visit to the log-in page loads ${login_kb} kB; it may load ${budgets.login_kb} kB.`)
  if (console_kb > budgets.console_kb)
    excess.unshift(`The first visit to the console loads ${console_kb} kB; it may load ${budgets.console_kb} kB.`)
  return excess
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  endWithSignals()
  await runScript(async () => {
    await buildWeb()
    const sizes = measureWebSizes()
    const excess = checkSizes(sizes)
    for (const sentence of excess) console.error(sentence)
    const pages = Object.entries(sizes.pages).map(([page, kb]) => `${page} ${kb}`)
    console.error(
      `log-in ${sizes.login_kb} of ${budgets.login_kb} kB; console ${sizes.console_kb} of ${budgets.console_kb} kB; pages of ${budgets.page_kb} kB, bet of ${budgets.bet_kb} kB: ${pages.join(', ')}`,
    )
    return Math.min(excess.length, 1)
  })
}
