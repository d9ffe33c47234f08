// A Mantine component needs its style sheets to be loaded, and each page loads its own. For every lazily loaded file of
// the web this checks that the components in it, and in its imports, find their style sheets in the file, in its
// imports, or in what was loaded before it.

import { existsSync, readFileSync } from 'node:fs'
import { basename, dirname, join, posix } from 'node:path'
import { pathToFileURL } from 'node:url'
import { listSources } from './import-rules.mjs'
import { root, runScript } from './run-step.mjs'

const core = join(root, 'node_modules/@mantine/core')
const sheetName = /^@mantine\/core\/styles\/(\w+)\.css$/
/** The entry files of the member app and of the console; `boot.ts` preloads what every page of the first needs. */
const entries = ['web/src/main.tsx', 'web/src/console/main.tsx']
const boot = 'web/src/boot.ts'
/** The frame of every page of the member app except the log-in pages, and that of every page of the console. */
const frame = 'web/src/app/shell/main-layout.tsx'
const consoleFrame = 'web/src/console/shell/console-layout.tsx'
/** The button that clears a field, which no field of the project has. */
const unused = 'InputClearButton'
const isInside = (file) => file.startsWith('web/src/features/') && !file.startsWith('web/src/features/auth/')

/** The style sheets of a Mantine component: its own, and those of the components it is made of. */
export function sheetsOf(component) {
  const sheets = new Set()
  const seen = new Set()
  const visit = (file) => {
    if (seen.has(file) || !existsSync(file)) return
    seen.add(file)
    const sheet = /^(\w+)\.module\.mjs$/.exec(basename(file))?.[1]
    if (sheet !== undefined && existsSync(join(core, `styles/${sheet}.css`))) sheets.add(sheet)
    const imports = readFileSync(file, 'utf8').matchAll(/\bfrom\s*"(\.[^"]+)"/g)
    // Other Mantine packages (theme, hooks) have no style sheets of their own.
    for (const [, name] of imports)
      if (!name.includes('/core/') && !name.includes(unused)) visit(join(dirname(file), name))
  }
  visit(join(core, `esm/components/${component}/${component}.mjs`))
  return sheets
}

const isRelative = (name) => name.startsWith('.')

/** What a file imports statically, what it imports lazily, which style sheets it loads and which components it uses. */
function readFile(path, source) {
  const code = source.replaceAll(/\/\*[\s\S]*?\*\//g, '').replaceAll(/^\s*\/\/.*$/gm, '')
  const names = (form) => Array.from(code.matchAll(form), (match) => match[1])
  const toPath = (name) => posix.join(dirname(path), name)
  const direct = [
    ...names(/\b(?:import|export)\s(?!type\b)[^'"`;]*?\bfrom\s*['"]([^'"]+)['"]/g),
    ...names(/\bimport\s*['"]([^'"]+)['"]/g),
  ]
  return {
    imports: direct.filter(isRelative).map(toPath),
    fetches: names(/\bimport\s*\(\s*['"]([^'"]+)['"]/g)
      .filter(isRelative)
      .map(toPath),
    sheets: direct.flatMap((name) => sheetName.exec(name)?.[1] ?? []),
    components: names(/\bimport\s*\{([^}]*)\}\s*from\s*['"]@mantine\/core['"]/g)
      .flatMap((list) => list.split(','))
      .map((name) => name.trim())
      .filter((name) => /^[A-Z]/.test(name)),
  }
}

/** @param sources the files of the web, path → text @returns a message for each component without its style sheet */
export function findMissingSheets(sources) {
  const files = new Map(Array.from(sources, ([path, source]) => [path, readFile(path, source)]))
  const closureOf = (start) => {
    const closure = new Set()
    const visit = (path) => {
      if (closure.has(path) || !files.has(path)) return
      closure.add(path)
      for (const next of files.get(path).imports) visit(next)
    }
    visit(start)
    return closure
  }
  const fetched = [...new Set([...entries, ...[...files.values()].flatMap(({ fetches }) => fetches)])]
  const closures = new Map(fetched.filter((path) => files.has(path)).map((path) => [path, closureOf(path)]))
  const sheetsIn = (closure) => new Set([...closure].flatMap((path) => files.get(path).sheets))

  /** What is loaded when a lazily loaded file is shown: the files common to all that import it, too. */
  const loadedBy = (path, asked = new Set()) => {
    const own = sheetsIn(closures.get(path))
    if (entries.includes(path) || asked.has(path)) return own
    const before = [...closures]
      .filter(([other, closure]) => {
        const fetches = [...closure].flatMap((one) => (one === boot ? [] : files.get(one).fetches))
        return other !== path && fetches.includes(path)
      })
      .map(([other]) => loadedBy(other, new Set([...asked, path])))
    const always =
      before.length === 0 ? new Set() : before.reduce((all, one) => new Set([...all].filter((sheet) => one.has(sheet))))
    const frameOf = isInside(path) ? frame : path.startsWith('web/src/console/') ? consoleFrame : null
    const around = frameOf !== null && files.has(frameOf) ? sheetsIn(closureOf(frameOf)) : new Set()
    return new Set([...own, ...always, ...around])
  }
  return [...closures].flatMap(([path, closure]) => {
    const loaded = loadedBy(path)
    return [...closure].flatMap((file) =>
      files
        .get(file)
        .components.flatMap((component) =>
          [...sheetsOf(component)]
            .filter((sheet) => !loaded.has(sheet))
            .map((sheet) => `${file}: ${component} needs ${sheet}.css, which is not loaded with ${path}`),
        ),
    )
  })
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  await runScript(() => {
    const paths = listSources('web/src').filter((path) => !path.includes('.test.'))
    const missing = findMissingSheets(new Map(paths.map((path) => [path, readFileSync(join(root, path), 'utf8')])))
    for (const sentence of missing) console.error(sentence)
    console.error(missing.length === 0 ? 'every component finds its style sheets' : `${missing.length} missing`)
    return Math.min(missing.length, 1)
  })
}
