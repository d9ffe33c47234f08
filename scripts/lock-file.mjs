// npm writes no entry into package-lock.json for an optional package that the registry in use does not have, and `npm
// ci` then refuses the whole file. Such packages are builds of a tool for one kind of machine. This script adds their
// entries, with the versions that their tool requires, so that the lock file is complete for every machine.
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

await runScript(() => {
  const file = join(root, 'package-lock.json')
  const lock = JSON.parse(readFileSync(file, 'utf8'))
  const missing = {}
  for (const [path, { optionalDependencies = {}, dev }] of Object.entries(lock.packages)) {
    for (const [name, version] of Object.entries(optionalDependencies)) {
      if (lock.packages[`node_modules/${name}`] || lock.packages[`${path}/node_modules/${name}`]) continue
      const entry = entryOf(name, version, dev)
      if (entry) missing[`node_modules/${name}`] = entry
    }
  }
  const names = Object.keys(missing)
  if (process.argv.includes('--check')) {
    for (const name of names) console.error(`${name} is missing in package-lock.json`)
    if (names.length > 0) console.error('run: node scripts/lock-file.mjs')
    const unneeded = orphans(lock.packages)
    for (const path of unneeded)
      console.error(`${path} stands in package-lock.json, and nothing depends on it: remove it`)
    return Math.min(names.length + unneeded.length, 1)
  }
  const sorted = Object.entries({ ...lock.packages, ...missing }).toSorted(([a], [b]) => a.localeCompare(b, 'en'))
  writeFileSync(file, `${JSON.stringify({ ...lock, packages: Object.fromEntries(sorted) }, null, 2)}\n`)
  console.error(`${names.length} entries added`)
  return 0
})
