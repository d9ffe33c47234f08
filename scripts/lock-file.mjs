// npm writes no entry into package-lock.json for an optional package that the registry in use does not have, and `npm
// ci` then refuses the whole file. Such packages are builds of a tool for one kind of machine. This script adds their
// entries, with the versions that their tool requires, so that the lock files are complete for every machine.
//   node scripts/lock-file.mjs            after `npm install`
//   node scripts/lock-file.mjs --check    reports entries that are missing, and entries that nothing depends on

import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { orphans } from './lock-orphans.mjs'
import { root, runScript } from './run-step.mjs'

const systems = ['aix', 'android', 'darwin', 'freebsd', 'linux', 'netbsd', 'openbsd', 'openharmony', 'sunos', 'win32']
const processors = ['arm64', 'arm', 'ia32', 'loong64', 'mips64el', 'ppc64', 'riscv64', 's390x', 'x64']

/** The lock entry of a package such as `@tool/binding-linux-x64-musl`, derived from its name. */
function entryOf(name, version, isDev) {
  const words = name.split('/').at(-1).split('-')
  const os = systems.find((system) => words.includes(system))
  const cpu = processors.find((processor) => words.includes(processor))
  if (!os || !cpu || !/^\d/.test(version)) return undefined
  const libc = words.includes('musl') ? ['musl'] : words.includes('gnu') ? ['glibc'] : undefined
  return { version, cpu: [cpu], ...(isDev && { dev: true }), ...(libc && { libc }), optional: true, os: [os] }
}

function completeEntries({ packages }) {
  const missing = {}
  for (const [path, { optionalDependencies = {}, dev }] of Object.entries(packages)) {
    for (const [name, version] of Object.entries(optionalDependencies)) {
      if (packages[`node_modules/${name}`] || packages[`${path}/node_modules/${name}`]) continue
      const entry = entryOf(name, version, dev)
      if (entry) missing[`node_modules/${name}`] = entry
    }
  }
  const entries = Object.entries({ ...packages, ...missing })
  return Object.fromEntries(entries.toSorted(([a], [b]) => a.localeCompare(b, 'en')))
}

function complete(name) {
  const file = join(root, name)
  const lock = JSON.parse(readFileSync(file, 'utf8'))
  const packages = completeEntries(lock)
  const incomplete = Object.keys(packages).filter((path) => !(path in lock.packages))
  if (!process.argv.includes('--check')) {
    writeFileSync(file, `${JSON.stringify({ ...lock, packages }, null, 2)}\n`)
    console.error(`${name}: ${incomplete.length} entries completed`)
    return 0
  }
  for (const path of incomplete) console.error(`${path} is missing in ${name}`)
  if (incomplete.length > 0) console.error('run: node scripts/lock-file.mjs')
  const unneeded = orphans(lock.packages)
  for (const path of unneeded) console.error(`${path} is in ${name}, but nothing depends on it: remove it`)
  return incomplete.length + unneeded.length
}

await runScript(() => {
  const problems = [
    'package-lock.json',
    'bench/lighthouse/package-lock.json',
    'scripts/shipped-node/package-lock.json',
  ].map(complete)
  return Math.min(Math.max(...problems), 1)
})
