// A release has a text for its operators and unedited migrations, and one version is named everywhere.

import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { landMigrations } from './migration-hashes.mjs'
import { findReleaseProblems, findVersionProblems, writeRelease, writeVersion } from './release.mjs'
import { root } from './run-step.mjs'

test('this checkout names one version', () => {
  expect(findVersionProblems(root)).toEqual([])
})

let project: string
const write = (file: string, text: string): void => {
  mkdirSync(dirname(join(project, file)), { recursive: true })
  writeFileSync(join(project, file), text)
}
const log = (...versions: string[]): void =>
  write('CHANGELOG.md', ['# Changelog', ...versions.map((each) => `## [${each}] - 2026-12-01\n\nText.`)].join('\n\n'))

beforeEach(() => {
  project = mkdtempSync(join(tmpdir(), 'megalot-versions-'))
  write('package.json', '{\n  "version": "1.0.0",\n  "workspaces": ["web"]\n}\n')
  write('web/package.json', '{ "version": "1.0.0", "dependencies": { "one": "1.0.0" } }')
  const packages = { '': { version: '1.0.0' }, web: { version: '1.0.0' }, 'node_modules/one': { version: '1.0.0' } }
  write('package-lock.json', JSON.stringify({ version: '1.0.0', packages }))
  write('contract/src/versions.ts', `export const APP_VERSION = 'v1.0.0'\nexport const WEB_VERSION = '1.0.0'\n`)
  write('server/migrations/0001-a.sql', 'create table a (x int);')
  write('server/migrations/releases.json', '{}')
  landMigrations(join(project, 'server/migrations'))
  log('1.0.0')
})
afterEach(() => rmSync(project, { recursive: true }))

test('a release needs a text, landed migrations, and a version above all others', () => {
  expect(findReleaseProblems(project, '1.0.0')).toEqual([])
  expect(findReleaseProblems(project, undefined)).toEqual([expect.stringContaining('name the version')])
  writeRelease(project, '1.0.0')
  expect(findReleaseProblems(project, '1.1.0')).toEqual(['CHANGELOG.md has no text under "## [1.1.0] - YYYY-MM-DD"'])
  log('1.1.0', '1.0.0', '0.9.0')
  expect(findReleaseProblems(project, '1.1.0')).toEqual([])
  expect(findReleaseProblems(project, '0.9.0')).toEqual(['1.0.0 is released, so 0.9.0 must be higher'])
  write('server/migrations/0002-b.sql', 'drop table a;')
  expect(findReleaseProblems(project, '1.1.0')).toEqual([
    '0002-b.sql has no hash: run npm run migration:land',
    expect.stringContaining('0002-b.sql drops the table a'),
  ])
})

test('a new version is written everywhere, and to no package of others', () => {
  writeVersion(project, '1.1.0')
  expect(findVersionProblems(project)).toEqual(['CHANGELOG.md has 1.0.0, not 1.1.0'])
  log('1.1.0', '1.0.0')
  expect(findVersionProblems(project)).toEqual([])
  const text = ['package-lock.json', 'web/package.json', 'contract/src/versions.ts']
    .map((file) => readFileSync(join(project, file), 'utf8'))
    .join('\n')
  expect(text.match(/1\.0\.0/g)).toHaveLength(3)
})

test('a release without its data is reported', () => {
  writeRelease(project, '1.0.0')
  expect(findVersionProblems(project)).toEqual(['server/test/releases/1.0.0.gz is missing'])
})
