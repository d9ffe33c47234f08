// `npm run release -- VERSION`: prepares a release in this checkout, and prints how to commit and tag it. From then on
// its migrations are never edited, and `npm test` upgrades a database of it.

import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { installLocked, requireNode } from './install-locked.mjs'
import { findEditedMigrations } from './migration-hashes.mjs'
import { findMigrationSteps } from './migration-steps.mjs'
import { endWithSignals, installedTool, root, runScript, runStep, StepFailed } from './run-step.mjs'

const VERSION = /^\d+\.\d+\.\d+$/
const migrations = 'server/migrations'
const releasesFile = `${migrations}/releases.json`
const versionsFile = 'contract/src/versions.ts'

const read = (project, file) => readFileSync(join(project, file), 'utf8')
const readJson = (project, file) => JSON.parse(read(project, file))
const listManifests = (project) => [
  'package.json',
  ...readJson(project, 'package.json').workspaces.map((name) => `${name}/package.json`),
]
/** The data of a release, for `server/test/upgrade.test.ts`. */
const dataFile = (version) => `server/test/releases/${version}.gz`

/** The dates of the releases in the change log, by version; undefined for one without a text. */
function readChangeLog(project) {
  if (!existsSync(join(project, 'CHANGELOG.md'))) return new Map()
  const [, ...parts] = read(project, 'CHANGELOG.md').split(/^## /m)
  return new Map(
    parts.flatMap((part) => {
      const [, version, date, text] = /^\[([\d.]+)\] - (\d{4}-\d\d-\d\d)\n([\s\S]*)$/.exec(part) ?? []
      return version === undefined ? [] : [[version, text.trim() === '' ? undefined : date]]
    }),
  )
}

const numberOf = (version) => version.split('.').reduce((sum, part) => sum * 10_000 + Number(part), 0)

/** Why a release cannot be cut, one sentence each. */
export function findReleaseProblems(project, version) {
  if (!VERSION.test(version ?? '')) return ['name the version, such as 1.2.0: npm run release -- 1.2.0']
  const folder = join(project, migrations)
  const released = Object.keys(readJson(project, releasesFile))
  const later = released.filter((each) => numberOf(each) >= numberOf(version))
  return [
    ...later.map((each) => `${each} is released, so ${version} must be higher`),
    ...(readChangeLog(project).get(version) === undefined
      ? [`CHANGELOG.md has no text under "## [${version}] - YYYY-MM-DD"`]
      : []),
    ...findEditedMigrations(folder),
    ...findMigrationSteps(folder),
  ]
}

/** Places that name another version than `package.json`, and releases without a text or data, one sentence each. */
export function findVersionProblems(project) {
  const { version } = readJson(project, 'package.json')
  const lock = readJson(project, 'package-lock.json').packages
  const named = [
    ...listManifests(project).flatMap((file) => [
      [file, readJson(project, file).version],
      [`package-lock.json, ${file}`, lock[file.slice(0, -'/package.json'.length)]?.version ?? lock[''].version],
    ]),
    [versionsFile, /APP_VERSION = 'v([^']*)'/.exec(read(project, versionsFile))?.[1]],
    ['CHANGELOG.md', [...readChangeLog(project).keys()][0]],
  ]
  return [
    ...named.filter(([, found]) => found !== version).map(([place, found]) => `${place} has ${found}, not ${version}`),
    ...Object.keys(readJson(project, releasesFile)).flatMap((release) => [
      ...(existsSync(join(project, dataFile(release))) ? [] : [`${dataFile(release)} is missing`]),
      ...(readChangeLog(project).has(release) ? [] : [`CHANGELOG.md has no ${release}`]),
    ]),
  ]
}

/** Writes the version everywhere. */
export function writeVersion(project, version) {
  const replace = (file, pattern) => {
    const text = read(project, file)
    writeFileSync(join(project, file), text.replace(pattern, `$1${version}$2`))
  }
  for (const file of listManifests(project)) replace(file, /("version": ")[^"]*(")/)
  replace(versionsFile, /(APP_VERSION = 'v)[^']*(')/)
  const lock = readJson(project, 'package-lock.json')
  lock.version = version
  for (const [path, entry] of Object.entries(lock.packages))
    if (!path.includes('node_modules/')) entry.version = version
  writeFileSync(join(project, 'package-lock.json'), `${JSON.stringify(lock, null, 2)}\n`)
}

/** Adds the release with its last migration. */
export function writeRelease(project, version) {
  const releases = readJson(project, releasesFile)
  const last = Object.keys(readJson(project, `${migrations}/hashes.json`))
    .toSorted()
    .at(-1)
  writeFileSync(join(project, releasesFile), `${JSON.stringify({ ...releases, [version]: last }, null, 2)}\n`)
}

function runUpgradeTest(title, env) {
  const args = [installedTool('vitest/vitest.mjs'), 'run', 'server/test/upgrade.test.ts']
  return runStep(title, process.execPath, args, { env: { ...process.env, ...env }, show: true })
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  endWithSignals()
  await runScript(async () => {
    const version = process.argv[2]
    requireNode()
    const problems = findReleaseProblems(root, version)
    if (problems.length > 0) throw new StepFailed(problems.join('\n'))
    await installLocked()
    writeVersion(root, version)
    await runUpgradeTest('Write the data of the release', { RELEASE_DATA: join(root, dataFile(version)) })
    writeRelease(root, version)
    await runUpgradeTest('Upgrade from each release', {})
    const left = findVersionProblems(root)
    if (left.length > 0) throw new StepFailed(left.join('\n'))
    console.log(`
Prepared. After npm test:
  git add --all && git commit --message "Release ${version}"
  git tag v${version}`)
    return 0
  })
}
