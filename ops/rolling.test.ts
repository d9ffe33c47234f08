// An earlier commit can be the older version only if this version can continue with its databases.

import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { chooseCommit, findForeignMigrations, hasPackagesOf, type Hashes } from './rolling/older-version.ts'

vi.setConfig({ testTimeout: 60_000 })

let checkout: string

beforeEach(() => {
  checkout = mkdtempSync(join(tmpdir(), 'megalot-choice-'))
})
afterEach(() => rmSync(checkout, { recursive: true }))

const HASHES = 'server/migrations/hashes.json'

function git(args: string[], input?: string): string {
  return execFileSync('git', args, { cwd: checkout, input, encoding: 'utf8' }).trim()
}

function writeHashes(hashes: Hashes): void {
  mkdirSync(join(checkout, 'server/migrations'), { recursive: true })
  writeFileSync(join(checkout, HASHES), JSON.stringify(hashes))
}

/**
 * A repository with one commit per entry, oldest first, the last one checked out.
 * @returns their ids
 */
function commitEach(...history: Hashes[]): string[] {
  const commits = history.map((hashes, index) => {
    const text = JSON.stringify(hashes)
    const data = `data ${text.length}\n${text}`
    return `commit refs/heads/main\ncommitter a <a@localhost> ${index} +0000\ndata 0\nM 644 inline ${HASHES}\n${data}\n`
  })
  git(['init', '--quiet', '--initial-branch=main'])
  git(['fast-import', '--quiet'], commits.join(''))
  writeHashes(history.at(-1)!)
  return git(['rev-list', '--reverse', 'HEAD']).split('\n')
}

test('an older version may lack migrations, but its own must all exist unchanged', () => {
  const newer = { '0001-a.sql': 'a', '0002-b.sql': 'b', '0003-c.sql': 'c' }
  expect(findForeignMigrations({ '0001-a.sql': 'a', '0002-b.sql': 'b' }, newer)).toEqual([])
  expect(findForeignMigrations({ '0001-a.sql': 'x', '0002-b.sql': 'b', '0004-d.sql': 'd' }, newer)).toEqual([
    '0001-a.sql',
    '0004-d.sql',
  ])
})

test('chooses the earliest commit after which every migration is unchanged', () => {
  const commits = commitEach({ a: 'x' }, { a: 'a' }, { a: 'a', b: 'b' }, { a: 'a', b: 'b' })
  expect(chooseCommit(undefined, checkout)).toEqual({
    commit: commits[1],
    why: `${commits[0]!.slice(0, 8)} made databases with a, which this version has not, or has rewritten`,
  })
})

test('chooses the last release by its tag, however many commits there are since', () => {
  const [first, second, third] = commitEach({ a: 'a' }, { a: 'a' }, { a: 'a', b: 'b' })
  const release = (releases: Record<string, string>): void =>
    writeFileSync(join(checkout, 'server/migrations/releases.json'), JSON.stringify(releases))
  release({ '1.0.0': 'a', '1.1.0': 'a' })
  expect(chooseCommit(undefined, checkout).commit).toBe(first)
  git(['tag', 'v1.1.0', second!])
  expect(chooseCommit(undefined, checkout).commit).toBe(second)
  git(['tag', 'v1.2.0', third!])
  release({ '1.2.0': 'b' })
  expect(chooseCommit(undefined, checkout).commit).toBe(first)
})

test('chooses no commit if the one before rewrote a migration', () => {
  const [, before] = commitEach({ a: 'a' }, { a: 'x' }, { a: 'a' })
  const { commit, why } = chooseCommit(undefined, checkout)
  expect(commit).toBeNull()
  expect(why).toContain(`${before!.slice(0, 8)} made databases with a`)
})

test('chooses no commit without a repository', () => {
  writeHashes({ a: 'a' })
  expect(chooseCommit(undefined, checkout)).toEqual({ commit: null, why: 'this checkout has no earlier commit' })
})

test.each([1, 2])('a clone of %i commits has one less to choose', (depth) => {
  const [, before] = commitEach({ a: 'a' }, { a: 'a' }, { a: 'a' })
  const clone = join(checkout, 'clone')
  git(['clone', '--quiet', `--depth=${depth}`, `file://${checkout}`, clone])
  const commit = depth === 1 ? null : before
  expect(chooseCommit(undefined, clone)).toEqual({ commit, why: 'this checkout has no earlier commit' })
})

test("the caller's commit is the only candidate", () => {
  const [first, second] = commitEach({ a: 'a' }, { a: 'a' }, { a: 'a' })
  expect(chooseCommit('HEAD~1', checkout).commit).toBe(second)
  expect(chooseCommit(first!.slice(0, 10), checkout).commit).toBe(first)
  expect(chooseCommit('nothing', checkout)).toEqual({ commit: null, why: 'nothing is not in this checkout' })
})

test('the older version uses the installed packages if all of its own are among them', () => {
  const one = { version: '1.0.0', integrity: 'sha512-a' }
  const lock = (packages: object) => ({ packages: { '': { version: '1.0.0' }, server: {}, ...packages } })
  const older = lock({ 'node_modules/a': one, 'node_modules/@megalot/server': { link: true } })
  expect(hasPackagesOf(lock({ ...older.packages, 'node_modules/b': one }), older)).toBe(true)
  expect(hasPackagesOf(lock({}), older)).toBe(false)
  expect(hasPackagesOf(lock({ ...older.packages, 'node_modules/a': { ...one, version: '1.0.1' } }), older)).toBe(false)
  expect(hasPackagesOf(lock({ ...older.packages, 'node_modules/a': { ...one, integrity: 'b' } }), older)).toBe(false)
  // A workspace's own packages are not linked.
  const nested = lock({ 'server/node_modules/a': one })
  expect(hasPackagesOf(nested, nested)).toBe(false)
})
