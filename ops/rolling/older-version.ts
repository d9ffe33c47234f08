// The older version of a rolling upgrade: the last release by its tag, or an earlier commit of this repository, built in
// its own folder.

import { execFile, execFileSync, spawnSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const root = fileURLToPath(new URL('../..', import.meta.url))
/** How many commits to look back. */
const COMMITS = 30
const HASHES = 'server/migrations/hashes.json'
const RELEASES = 'server/migrations/releases.json'

export interface OlderVersion {
  /** The folder of its build. */
  folder: string
  /** Its commit, or why it is none. */
  name: string
  isEarlierCommit: boolean
  remove(): void
}

/** Output of git in a checkout; null if it fails, for example without a repository. */
function git(checkout: string, ...args: string[]): string | null {
  // The checkout may belong to another account.
  const { status, stdout } = spawnSync('git', ['-c', 'safe.directory=*', ...args], { cwd: checkout, encoding: 'utf8' })
  return status === 0 ? stdout.trim() : null
}

export type Hashes = Readonly<Record<string, string>>

/** The migrations of an older version that a newer one lacks, or has with different content. */
export function findForeignMigrations(older: Hashes, newer: Hashes): string[] {
  return Object.keys(older).filter((name) => older[name] !== newer[name])
}

/** The hashes of a commit's migrations; null if they cannot be read. */
function readHashes(checkout: string, commit: string): Hashes | null {
  const text = git(checkout, 'show', `${commit}:${HASHES}`)
  return text === null ? null : (JSON.parse(text) as Hashes)
}

export interface Choice {
  commit: string | null
  /** Why there is none, or none earlier. */
  why: string
}

/** The commit of the last release; null if there is none, or if its tag is missing or on this very commit. */
function findLastRelease(checkout: string): string | null {
  const file = join(checkout, RELEASES)
  const version = existsSync(file) ? Object.keys(JSON.parse(readFileSync(file, 'utf8')) as object).at(-1) : undefined
  if (version === undefined) return null
  const commit = git(checkout, 'rev-parse', '--verify', `v${version}^{commit}`)
  return commit === git(checkout, 'rev-parse', 'HEAD') ? null : commit
}

/**
 * The last release, or else the earliest commit within reach whose databases this version can continue with: all its
 * migrations still exist, unchanged.
 * @param given a commit chosen by the caller
 */
export function chooseCommit(given: string | undefined, checkout = root): Choice {
  const newer = JSON.parse(readFileSync(join(checkout, HASHES), 'utf8')) as Hashes
  const reachable =
    git(checkout, 'rev-list', '--first-parent', `--max-count=${COMMITS + 1}`, 'HEAD')
      ?.split('\n')
      .slice(1) ?? []
  const released = findLastRelease(checkout)
  const commits =
    given === undefined
      ? released === null
        ? reachable
        : [released]
      : [git(checkout, 'rev-parse', '--verify', `${given}^{commit}`) ?? given]
  let chosen: string | null = null
  let why = 'this checkout has no earlier commit'
  for (const commit of commits) {
    const older = readHashes(checkout, commit)
    if (older === null) {
      why = `${commit.slice(0, 8)} is not in this checkout`
      break
    }
    const foreign = findForeignMigrations(older, newer)
    if (foreign.length > 0) {
      why = `${commit.slice(0, 8)} made databases with ${foreign.join(', ')}, which this version has not, or has rewritten`
      break
    }
    chosen = commit
  }
  return { commit: chosen, why }
}

/** Packages of this checkout, with the other folder's workspaces. */
function linkPackages(folder: string): void {
  const modules = join(folder, 'node_modules')
  mkdirSync(join(modules, '@megalot'), { recursive: true })
  for (const name of readdirSync(join(root, 'node_modules')))
    if (name !== '@megalot' && !/^\.(vite|cache)/.test(name))
      symlinkSync(join(root, 'node_modules', name), join(modules, name))
  for (const name of readdirSync(join(root, 'node_modules/@megalot')))
    symlinkSync(join(folder, name), join(modules, '@megalot', name))
}

export interface LockFile {
  packages: Readonly<Record<string, { version?: string; integrity?: string; link?: boolean }>>
}

const readLock = (folder: string): LockFile =>
  JSON.parse(readFileSync(join(folder, 'package-lock.json'), 'utf8')) as LockFile

/** Whether the newer lock file has every package of the older one, unchanged. Additional packages do no harm. */
export function hasPackagesOf(newer: LockFile, older: LockFile): boolean {
  return Object.entries(older.packages).every(([path, { version, integrity, link }]) => {
    // The project's own.
    if (!path.startsWith('node_modules/')) return !path.includes('node_modules/')
    const here = newer.packages[path]
    return here !== undefined && here.version === version && here.integrity === integrity && here.link === link
  })
}

/** @throws Error if the commit does not build */
async function buildCommit(commit: string, folder: string): Promise<void> {
  const archive = execFileSync('git', ['-c', 'safe.directory=*', 'archive', commit], { cwd: root, maxBuffer: 1 << 30 })
  execFileSync('tar', ['-x', '-C', folder], { input: archive })
  // With other packages the build installs its own.
  if (hasPackagesOf(readLock(root), readLock(folder))) linkPackages(folder)
  await promisify(execFile)(process.execPath, ['scripts/build.mjs'], { cwd: folder, maxBuffer: 1 << 30 })
}

/** The build of this checkout with another version string. */
function copyBuild(folder: string): string {
  for (const part of [
    'server/dist',
    'server/migrations',
    'server/seed-data',
    'server/calendar-data',
    'server/package.json',
    'web/dist',
    'node_modules',
  ])
    if (part === 'node_modules') symlinkSync(join(root, part), join(folder, part))
    else cpSync(join(root, part), join(folder, part), { recursive: true })
  const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string }
  const version = `${manifest.version}-before`
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ ...manifest, version }))
  return version
}

/** Builds the older version. If no commit qualifies, uses this one with another version string, and reports that. */
export async function makeOlderVersion(report: (line: string) => void): Promise<OlderVersion> {
  const { commit, why } = chooseCommit(process.env.ROLLING_FROM || undefined)
  const folder = mkdtempSync(join(tmpdir(), 'megalot-older-'))
  const remove = (): void => rmSync(folder, { recursive: true, force: true })
  try {
    // So that the servers' account can read it.
    execFileSync('chmod', ['755', folder])
    if (commit === null) {
      const name = `the same code as version ${copyBuild(folder)}: NO EARLIER COMMIT, because ${why}`
      report(name)
      return { folder, name, isEarlierCommit: false, remove }
    }
    const name = git(root, 'log', '-1', '--format=%h %s', commit) ?? commit
    report(`the older version is ${name}; it is built …`)
    await buildCommit(commit, folder)
    if (!existsSync(join(folder, 'server/dist/main.js'))) throw new Error(`${name} has no build`)
    return { folder, name, isEarlierCommit: true, remove }
  } catch (error) {
    remove()
    throw error
  }
}
