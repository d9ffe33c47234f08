// Checks what each source file may contain, by the tables below: which files and packages it imports, that imports form no cycle, what a
// module exports, that services contain no SQL, and which code of the web stands in one file alone. The result is the list of violations.

import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, posix } from 'node:path'
import { pathToFileURL } from 'node:url'
import { findCycles } from './import-cycles.mjs'
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
  ops: ['rules', 'contract'],
}

/**
 * External packages, for workspaces that run in the browser as well as on the server. Others may use what they declare.
 */
const packages = { rules: [], contract: ['zod'] }

/** Further packages for a workspace's tests. */
const testPackages = ['vitest', 'fast-check', 'node:']

/** Scripts that e2e and bench may use: they start the built application or a cluster, find a browser, and measure the web. */
const sharedScripts = [
  'scripts/run-app.mjs',
  'scripts/bench.mjs',
  'scripts/run-step.mjs',
  'scripts/build.mjs',
  'scripts/install-locked.mjs',
  'scripts/test-stages.mjs',
  'scripts/find-chromium.mjs',
  'scripts/web-sizes.mjs',
  'scripts/long-journeys.mjs',
]

/**
 * Files of the server that bench may use too: the same invariants are checked after a benchmark as after a test, and
 * its history is written as the demo's is. So there is one list of invariants and one writer of tickets. The build of a book is
 * measured itself, without the start of a command.
 */
const sharedWithBench = [
  'server/test/invariants.ts',
  'server/test/data-folder-database.ts',
  'server/src/seed/write-history.ts',
  'server/src/modules/book/index.ts',
  'server/src/modules/orders/stored-lines.ts',
]

/** What Vite's configuration may import by its path: Node.js loads it, which reads no TypeScript of a package. */
const viteConfig = ['web/vite.config.ts', 'web/compile-messages.ts']
const sharedWithViteConfig = [
  'contract/src/server-paths.ts',
  'contract/src/web-pages.ts',
  'contract/src/report-words/th.ts',
  'contract/src/report-words/en.ts',
]

/** The server's modules by layer, the lowest one first: a module imports only modules of lower layers. */
const moduleRows = [
  ['audit'],
  ['ledger', 'maintenance'],
  ['accounts'],
  ['sessions', 'markets', 'announcements'],
  ['quotas', 'credentials', 'second-factor', 'play-limits', 'notices', 'staff'],
  ['orders', 'people'],
  ['book'],
  ['awards'],
  ['approvals', 'draw-day', 'reports', 'signals', 'invariants'],
  ['live', 'restored-access'],
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

const staticForms = [/\b(?:import|export)\s[^'"`;]*?\bfrom\s*['"]([^'"]+)['"]/g, /\bimport\s*['"]([^'"]+)['"]/g]
const dynamicForm = /\bimport\s*\(\s*['"]([^'"]+)['"]/g

function removeComments(source) {
  return source.replaceAll(/\/\*[\s\S]*?\*\//g, '').replaceAll(/^\s*\/\/.*$/gm, '')
}

function matchAll(source, forms) {
  const code = removeComments(source)
  return forms.flatMap((form) => Array.from(code.matchAll(form), (match) => match[1]))
}

/** The module names a file imports. */
export function findImports(source) {
  return matchAll(source, [...staticForms, dynamicForm])
}

/**
 * The module names that a file imports when it is loaded, types included. `import()` runs later, so it causes no cycle.
 */
export function findStaticImports(source) {
  return matchAll(source, staticForms)
}

function rowOf(module) {
  return moduleRows.findIndex((row) => row.includes(module))
}

/** Why a file of a module may not import another file of the same module, or undefined. Tests may import all of it. */
function checkWithinModule(from, to) {
  if (testFile.test(from)) return undefined
  if (to.endsWith('/index.ts')) return 'a module does not import its own surface'
  if (from.endsWith('/index.ts')) return to.endsWith('.store.ts') ? 'a surface offers nothing of a store' : undefined
  if (to.endsWith('.routes.ts')) return 'only the surface imports routes'
  if (from.endsWith('.store.ts') && to.endsWith('.service.ts')) return 'a store does not import its service'
  if (from.endsWith('.routes.ts') && to.endsWith('.store.ts')) return 'routes use the service, not the store'
  return undefined
}

/** Why a server file may not import another file of the server, or undefined. */
function checkServerImport(from, to) {
  const [, , fromRoom, fromModule] = from.split('/')
  const [, , toRoom, toModule] = to.split('/')
  const isTest = testFile.test(from)
  if (fromRoom === 'platform' && !['platform', 'config.ts'].includes(toRoom) && !isTest)
    return 'platform imports no module'
  if (
    fromRoom === 'modules' &&
    ['seed', 'cli', 'app.ts', 'main.ts', 'node-jobs.ts', 'office.ts'].includes(toRoom) &&
    !isTest
  )
    return 'a module does not import what is built upon it'
  if (toRoom !== 'modules') return undefined
  if (fromRoom === 'modules' && toModule === fromModule) return checkWithinModule(from, to)
  if (to !== `server/src/modules/${toModule}/index.ts`) return `module ${toModule} is imported through its index.ts`
  // Tests and the layers above the modules may import all of them.
  if (fromRoom !== 'modules' || isTest) return undefined
  if (rowOf(fromModule) === -1 || rowOf(toModule) === -1) return 'a module is missing in the order of modules'
  return rowOf(toModule) < rowOf(fromModule) ? undefined : `module ${fromModule} stands below ${toModule} or beside it`
}

/** What is wrong with the exports of a file: only surfaces re-export, and they name each export. */
export function checkExports(file, source) {
  if (!file.startsWith('server/src/') || testFile.test(file)) return undefined
  const code = removeComments(source)
  if (!/^server\/src\/modules\/[^/]+\/index\.ts$/.test(file))
    return /^export\s[^'"`;=(]*?\bfrom\s*['"]/m.test(code) ? 'only the index.ts of a module re-exports' : undefined
  const rest = code.replaceAll(/^export (?:type )?\{[^}]*\} from '[^']+'$/gm, '').trim()
  return rest === '' ? undefined : 'a surface holds nothing but `export { … } from`'
}

/** Services that are hardly more than their statements: a store would only separate each name from its statement. */
const servicesOfStatements = [
  'accounts/agent-codes.service.ts',
  'audit/audit.service.ts',
  'ledger/ledger.service.ts',
  'reports/reconciliation.service.ts',
].map((file) => `server/src/modules/${file}`)

const statement = /\bsql(?:<[^`;]*>)?`|\.(?:selectFrom|insertInto|updateTable|deleteFrom)\(/

/** What is wrong with the SQL of a file: it is not in a service. */
export function checkStatements(file, source) {
  if (!file.endsWith('.service.ts') || servicesOfStatements.includes(file)) return undefined
  return statement.test(removeComments(source)) ? 'the SQL of a service is in its store' : undefined
}

/**
 * The web's features that others are built on, from the bottom up: they hold the queries and parts of one subject. A
 * feature imports only these, and only those of the layers below its own; all other features are at the top.
 */
const sharedFeatureRows = [
  ['feedback', 'contact'],
  ['markets', 'print', 'second-factor'],
  ['orders', 'notices'],
  ['announcements'],
]

function featureRowOf(feature) {
  const row = sharedFeatureRows.findIndex((names) => names.includes(feature))
  return row === -1 ? sharedFeatureRows.length : row
}

/** Shelves of `lib` that hold what changes: parts of `ui` and views of the shell are given what they show. */
const dataShelves = ['api', 'feedback', 'i18n', 'live', 'session', 'user']

/** Of `lib/device`, which is what the browser stores, only these store nothing. */
const statelessDeviceFiles = ['random-uuid.ts', 'save-file.ts']

/** Whether a file only shows what it is given: the application, the prerendered frames and the gallery render it. */
function isView(file) {
  return /^web\/src\/(?:ui\/|app\/shell\/(?:shell-frame|main-menu|top-bar-view|news\/news-line)\.tsx$)/.test(file)
}

function isDataFile(file) {
  const [, , room, shelf, name] = file.split('/')
  if (room !== 'lib') return false
  return dataShelves.includes(shelf) || (shelf === 'device' && !statelessDeviceFiles.includes(name))
}

/** The two applications and the gallery: they are built on everything else and not on each other. */
const webHosts = ['app', 'console', 'gallery']

/** Why a web file may not import another file of the web, or undefined. */
function checkWebImport(from, to) {
  const [, , fromRoom, fromFeature] = from.split('/')
  const [, , toRoom, toFeature] = to.split('/')
  if (isView(from) && isDataFile(to)) return `a view is given what it shows: it does not import ${to}`
  if (fromRoom === toRoom && fromRoom !== 'features') return undefined
  if (fromRoom === 'lib' && ['ui', 'features', ...webHosts].includes(toRoom))
    return 'lib imports no ui, feature, app or console'
  if (fromRoom === 'ui' && ['features', ...webHosts].includes(toRoom)) return 'ui imports no feature, app or console'
  if (toRoom === 'gallery') return 'only the gallery imports the gallery'
  if (fromRoom === 'gallery' && ['features', 'app', 'console'].includes(toRoom) && !isView(to))
    return 'the gallery shows views alone: parts of ui and of the shell'
  if (fromRoom === 'features' && webHosts.includes(toRoom)) return 'a feature imports neither the app nor the console'
  if (fromRoom === 'app' && toRoom === 'console') return 'the app does not import the console'
  if (fromRoom === 'console' && toRoom === 'app') return 'the console does not import the app'
  if (fromRoom === 'features' && toRoom === 'features' && fromFeature !== toFeature)
    return featureRowOf(toFeature) < featureRowOf(fromFeature)
      ? undefined
      : `feature ${fromFeature} does not import ${toFeature}, which is no shared feature below it`
  return undefined
}

/** Packages that no view imports, because they fetch or store data. */
const dataPackages = ['@tanstack/react-query', 'zustand']

/** Code of the web that only the named files may contain, or none; `reason` says what to use instead. */
const confinedCode = [
  {
    pattern: /\bqueryKey:\s*\[|\[\s*\.\.\.queryKeys\b/,
    files: ['lib/api/query-keys.ts'],
    reason: 'lib/api/query-keys.ts has the keys of all queries',
  },
  {
    pattern: /\binvalidateQueries\(/,
    files: ['lib/api/refresh.ts', 'lib/live/live.ts'],
    reason: 'lib/api/refresh.ts refreshes queries, by the table of what each action changes',
  },
  {
    pattern: /\b(?:localStorage|sessionStorage)\)?\.getItem\(/,
    files: ['lib/device/stored-value.ts'],
    reason: 'lib/device/stored-value.ts reads what the device stores',
  },
  {
    pattern: /\blocalStorage\.setItem\(/,
    files: ['lib/device/device-storage.ts'],
    reason: 'lib/device/device-storage.ts stores on the device, which may be full',
  },
  {
    pattern: /\blocation\.search\b/,
    files: ['app/router.tsx', 'gallery/gallery.tsx'],
    reason: 'the route of a page validates its search parameters',
  },
  {
    pattern: /\bfrom\s*['"]zod(?:\/|['"])/,
    files: [],
    reason:
      'the build leaves schemas out, so that they validate nothing: lib/device/stored-value.ts reads what the device stores',
  },
  {
    pattern: /\b(?:useMutation|setIsBusy)\b/,
    files: [],
    reason: 'what a person starts and waits for runs by lib/forms/use-action.ts',
  },
]

function findMisplacedCode(file, source) {
  if (!file.startsWith('web/src/') || testFile.test(file)) return undefined
  const code = removeComments(source)
  return confinedCode.find(({ pattern, files }) => pattern.test(code) && !files.includes(file.slice('web/src/'.length)))
    ?.reason
}

/** What is wrong with the place, the packages or the content of a web file, or undefined. */
export function checkWebFile(file, source) {
  if (/^web\/src\/lib\/[^/]+$/.test(file)) return 'a file of lib is on a shelf'
  const reason = findMisplacedCode(file, source)
  if (reason !== undefined) return reason
  if (!isView(file) || testFile.test(file)) return undefined
  const found = findImports(source).find((name) =>
    dataPackages.some((one) => name === one || name.startsWith(`${one}/`)),
  )
  if (found !== undefined) return `a view is given what it shows: it does not import ${found}`
  const names = Array.from(
    removeComments(source).matchAll(/\bimport\s+(?:type\s+)?\{([^}]*)\}\s*from\s*'@tanstack\/react-router'/g),
    (match) => match[1].split(',').map((name) => name.replace(/^\s*type\s/, '').trim()),
  ).flat()
  return names.some((name) => !['', 'Link', 'LinkProps'].includes(name))
    ? 'a view knows no more of the router than its links'
    : undefined
}

/** Why `from` may not import `name`, or undefined when it may. Paths are relative to the repository. */
export function checkImport(from, name) {
  const workspace = from.split('/')[0]
  if (!(workspace in workspaces)) return undefined
  const isTest = testFile.test(from)
  if (name.startsWith('.')) {
    const to = posix.join(dirname(from), name)
    const target = to.split('/')[0]
    if (target === workspace) {
      if (workspace === 'server') return checkServerImport(from, to)
      if (workspace === 'web') return checkWebImport(from, to)
      return undefined
    }
    if (['e2e', 'bench', 'ops'].includes(workspace) && sharedScripts.includes(to)) return undefined
    if ([workspace, target].toSorted().join() === 'bench,ops') return undefined
    if (['bench', 'ops'].includes(workspace) && sharedWithBench.includes(to)) return undefined
    if (viteConfig.includes(from) && sharedWithViteConfig.includes(to)) return undefined
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

/** For each file the files it imports when it is loaded, in the form of `findCycles`. */
function drawFileGraph(sources) {
  const imports = ([file, source]) =>
    findStaticImports(source)
      .filter((name) => name.startsWith('.'))
      .map((name) => posix.join(dirname(file), name))
      .filter((to) => sources.has(to))
  return new Map(Array.from(sources, (entry) => [entry[0], imports(entry)]))
}

function moduleOf(file) {
  return /^server\/src\/modules\/([^/]+)\//.exec(file)?.[1]
}

/** For each module of the server the others that it imports. */
function drawModuleGraph(fileGraph) {
  const graph = new Map()
  for (const [file, imported] of fileGraph) {
    const module = moduleOf(file)
    if (module === undefined || testFile.test(file)) continue
    const others = imported.map(moduleOf).filter((other) => other !== undefined && other !== module)
    graph.set(module, [...(graph.get(module) ?? []), ...others])
  }
  return graph
}

/** The room of a web file: a shelf, a feature, a folder of a feature; undefined for files that belong to no room. */
function webRoomOf(file) {
  if (!file.startsWith('web/src/') || testFile.test(file)) return undefined
  const [room, name, folder, ...rest] = file.slice('web/src/'.length).split('/')
  if (room === 'lib') return `web/src/lib/${name}`
  if (room === 'features') return rest.length > 0 ? `web/src/features/${name}/${folder}` : file
  return folder === undefined && name === undefined ? file : `web/src/${room}`
}

/** For each room of the web the others that it imports. */
export function drawWebRoomGraph(fileGraph) {
  const graph = new Map()
  for (const [file, imported] of fileGraph) {
    const room = webRoomOf(file)
    if (room === undefined) continue
    const others = imported.map(webRoomOf).filter((other) => other !== undefined && other !== room)
    graph.set(room, [...(graph.get(room) ?? []), ...others])
  }
  return graph
}

export function findViolations(files = listSources()) {
  const sources = new Map(files.map((file) => [file, readFileSync(join(root, file), 'utf8')]))
  const wrong = Array.from(sources).flatMap(([file, source]) => {
    const imports = findImports(source).flatMap((name) => {
      const reason = checkImport(file, name)
      return reason ? [`${file}: imports '${name}': ${reason}`] : []
    })
    const reasons = [checkExports(file, source), checkStatements(file, source), checkWebFile(file, source)]
    return [...imports, ...reasons.filter(Boolean).map((reason) => `${file}: ${reason}`)]
  })
  const fileGraph = drawFileGraph(sources)
  const moduleGraph = drawModuleGraph(fileGraph)
  const withoutSurface = [...moduleGraph.keys()].filter(
    (module) => !sources.has(`server/src/modules/${module}/index.ts`),
  )
  return [
    ...wrong,
    ...withoutSurface.map((module) => `server/src/modules/${module}: a module has an index.ts`),
    ...[fileGraph, moduleGraph, drawWebRoomGraph(fileGraph)]
      .flatMap(findCycles)
      .map((cycle) => `cycle of imports: ${cycle.join(' → ')}`),
  ]
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  await runScript(() => {
    const violations = findViolations()
    for (const violation of violations) console.error(violation)
    console.error(violations.length === 0 ? 'imports are as they should be' : `${violations.length} wrong imports`)
    return Math.min(violations.length, 1)
  })
}
