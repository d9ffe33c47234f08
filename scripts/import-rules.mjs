// Who may import whom. Every import of the sources is held against the tables below; the list of violations is the answer.

import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, posix } from 'node:path'
import { pathToFileURL } from 'node:url'
import { root, runScript } from './run-step.mjs'

/** Which other workspaces each workspace may import. */
const workspaces = {
  rules: [],
  contract: ['rules'],
  server: ['rules', 'contract'],
  web: ['rules', 'contract'],
  e2e: ['contract'],
  // The benchmark of the rules measures the rules themselves.
  bench: ['rules', 'contract'],
}

/** Packages from outside, for workspaces that run in the browser as well as on the server. Others may use what they declare. */
const packages = { rules: [], contract: ['zod'] }

/** Packages that a workspace's tests may use besides. */
const testPackages = ['vitest', 'fast-check', 'node:']

/** Scripts that e2e and bench may use: they start the built product, find a browser, and weigh the web. */
const sharedScripts = ['scripts/run-product.mjs', 'scripts/find-chromium.mjs', 'scripts/web-sizes.mjs']

/**
 * Files of the server that bench may use too: after a benchmark the database is asked the same questions as after a test, and
 * before it the past is written as the demo's is, so that there is one list of invariants and one writer of tickets.
 */
const sharedWithBench = [
  'server/test/invariants.ts',
  'server/test/kept-database.ts',
  'server/src/seed/write-history.ts',
]

/** The server's modules from the ground up: a module imports only modules of the rows above its own. */
const moduleRows = [
  ['audit'],
  ['ledger', 'maintenance'],
  ['accounts'],
  ['sessions', 'markets', 'announcements'],
  ['quotas', 'credentials', 'play-limits', 'notices'],
  ['orders'],
  ['awards'],
  ['reports'],
  ['live'],
]
const sourceFile = /\.(ts|tsx|mts|mjs)$/
const testFile = /\.(test|race\.test|spec)\.tsx?$|\/(tests?|testing)\/|vitest\.|global-setup/

export function listSources(folder = '') {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = posix.join(folder, entry.name)
    if (entry.isDirectory()) {
      const isSkipped = ['node_modules', 'dist', 'data', 'output', 'coverage', 'test-results'].includes(entry.name)
      return isSkipped || entry.name.startsWith('.') ? [] : listSources(path)
    }
    return sourceFile.test(entry.name) ? [path] : []
  })
}

/** The module names a file imports, with comments out of the way. */
export function findImports(source) {
  const code = source.replaceAll(/\/\*[\s\S]*?\*\//g, '').replaceAll(/^\s*\/\/.*$/gm, '')
  const forms = [
    /\b(?:import|export)\s[^'"`;]*?\bfrom\s*['"]([^'"]+)['"]/g,
    /\bimport\s*['"]([^'"]+)['"]/g,
    /\bimport\s*\(\s*['"]([^'"]+)['"]/g,
  ]
  return forms.flatMap((form) => Array.from(code.matchAll(form), (match) => match[1]))
}

function rowOf(module) {
  return moduleRows.findIndex((row) => row.includes(module))
}

/** Why a server file may not import another file of the server, or nothing. */
function judgeServer(from, to) {
  const [, , fromRoom, fromModule] = from.split('/')
  const [, , toRoom, toModule] = to.split('/')
  const isOverPlatform = !['platform', 'config.ts'].includes(toRoom) && !testFile.test(from)
  if (fromRoom === 'platform' && isOverPlatform) return 'platform imports no module'
  if (fromRoom === 'modules' && ['seed', 'cli', 'app.ts', 'main.ts', 'office.ts'].includes(toRoom)) {
    return testFile.test(from) ? undefined : 'a module does not import what is built upon it'
  }
  if (toRoom !== 'modules') return undefined
  const isFromOutside = fromRoom !== 'modules'
  if (toModule === fromModule && fromRoom === 'modules') {
    if (from.endsWith('.store.ts') && /\.(service|routes)\.ts$/.test(to))
      return 'a store does not import its service or routes'
    if (from.endsWith('.service.ts') && to.endsWith('.routes.ts')) return 'a service does not import its routes'
    if (from.endsWith('.routes.ts') && to.endsWith('.store.ts')) return 'routes use the service, not the store'
    return undefined
  }
  if (isFromOutside) {
    if (testFile.test(from) || /\.(service|routes|commands|job)\.ts$/.test(to)) return undefined
    return `module ${toModule} is used through its service`
  }
  if (testFile.test(from)) return undefined
  if (!to.endsWith('.service.ts')) return `module ${toModule} is used through its service`
  if (rowOf(fromModule) === -1 || rowOf(toModule) === -1) return 'a module is missing in the order of modules'
  return rowOf(toModule) < rowOf(fromModule) ? undefined : `module ${fromModule} stands below ${toModule} or beside it`
}

/** Why a web file may not import another file of the web, or nothing. */
function judgeWeb(from, to) {
  const [, , fromRoom, fromFeature] = from.split('/')
  const [, , toRoom, toFeature] = to.split('/')
  if (fromRoom === toRoom && fromRoom !== 'features') return undefined
  if (fromRoom === 'lib' && ['ui', 'features', 'app'].includes(toRoom)) return 'lib imports no ui, feature or app'
  if (fromRoom === 'ui' && ['features', 'app'].includes(toRoom)) return 'ui imports no feature or app'
  if (fromRoom === 'features' && toRoom === 'app') return 'a feature does not import the app'
  if (fromRoom === 'features' && toRoom === 'features' && fromFeature !== toFeature)
    return 'features never import each other'
  return undefined
}

/** Why `from` may not import `name`, or nothing when it may. Paths are relative to the repository. */
export function judgeImport(from, name) {
  const workspace = from.split('/')[0]
  if (!(workspace in workspaces)) return undefined
  const isTest = testFile.test(from)
  if (name.startsWith('.')) {
    const to = posix.join(dirname(from), name)
    const target = to.split('/')[0]
    if (target === workspace) {
      if (workspace === 'server') return judgeServer(from, to)
      if (workspace === 'web') return judgeWeb(from, to)
      return undefined
    }
    if (['e2e', 'bench'].includes(workspace) && sharedScripts.includes(to)) return undefined
    if (workspace === 'bench' && sharedWithBench.includes(to)) return undefined
    return `${workspace} does not reach into ${target} by a path`
  }
  const own = /^@megalot\/([^/]+)(\/.+)?$/.exec(name)
  if (own) {
    if (own[2]) return 'a workspace is imported through its package entry'
    return workspaces[workspace].includes(own[1]) ? undefined : `${workspace} does not import ${own[1]}`
  }
  const allowed = packages[workspace]
  if (!allowed || (isTest && testPackages.some((known) => name.startsWith(known)))) return undefined
  return allowed.some((known) => name === known || name.startsWith(`${known}/`))
    ? undefined
    : `${workspace} does not import ${name}`
}

export function findViolations(files = listSources()) {
  return files.flatMap((file) =>
    findImports(readFileSync(join(root, file), 'utf8')).flatMap((name) => {
      const reason = judgeImport(file, name)
      return reason ? [`${file}: imports '${name}': ${reason}`] : []
    }),
  )
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  await runScript(() => {
    const violations = findViolations()
    for (const violation of violations) console.error(violation)
    console.error(violations.length === 0 ? 'imports are as they should be' : `${violations.length} wrong imports`)
    return Math.min(violations.length, 1)
  })
}
