// A landed migration is never edited, because databases have already run it. `server/migrations/hashes.json` holds each
// file's SHA-256; `npm run check` compares them. `npm run migration:land` adds the hashes of new files and changes
// none.

import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { root, runScript } from './run-step.mjs'

const hashesFile = 'hashes.json'

function readHashes(folder) {
  const file = join(folder, hashesFile)
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {}
}

function hashMigrations(folder) {
  const names = readdirSync(folder).filter((name) => name.endsWith('.sql'))
  const hashOf = (name) =>
    createHash('sha256')
      .update(readFileSync(join(folder, name)))
      .digest('hex')
  return Object.fromEntries(names.toSorted().map((name) => [name, hashOf(name)]))
}

/** Problems with the migrations of a folder, one sentence each. */
export function findEditedMigrations(folder) {
  const landed = readHashes(folder)
  const found = hashMigrations(folder)
  const problems = Object.entries(landed).flatMap(([name, hash]) => {
    if (!(name in found)) return [`${name} has landed and is gone`]
    return found[name] === hash
      ? []
      : [
          `${name} was edited after it landed: write a new migration; before the first release, remove hashes.json and land all anew`,
        ]
  })
  const last = Object.keys(landed).toSorted().at(-1) ?? ''
  for (const name of Object.keys(found)) {
    if (name in landed) continue
    if (name < last) problems.push(`${name} comes before ${last}, which has landed: give it a higher number`)
    else problems.push(`${name} has no hash: run npm run migration:land`)
  }
  return problems
}

/**
 * Adds the hashes of new files.
 * @returns their names
 */
export function landMigrations(folder) {
  const landed = readHashes(folder)
  const found = hashMigrations(folder)
  const added = Object.keys(found).filter((name) => !(name in landed))
  const hashes = { ...landed, ...Object.fromEntries(added.map((name) => [name, found[name]])) }
  const sorted = Object.fromEntries(Object.entries(hashes).toSorted(([a], [b]) => (a < b ? -1 : 1)))
  writeFileSync(join(folder, hashesFile), `${JSON.stringify(sorted, null, 2)}\n`)
  return added
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  await runScript(() => {
    const folder = join(root, 'server', 'migrations')
    if (process.argv.includes('--add')) for (const name of landMigrations(folder)) console.error(`${name} has landed`)
    const problems = findEditedMigrations(folder)
    for (const problem of problems) console.error(problem)
    return Math.min(problems.length, 1)
  })
}
