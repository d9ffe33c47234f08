import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { orphans } from './lock-orphans.mjs'

// Regression: a merge left an entry that nothing depends on, and every start ran `npm ci` during tests.

test('every entry of the lock file is needed', () => {
  const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8'))
  expect(orphans(packages)).toEqual([])
})

test('an entry that nothing depends on is found, at any depth', () => {
  const packages = {
    '': { workspaces: ['server'] },
    server: { dependencies: { a: '1' }, devDependencies: { tool: '1' } },
    'node_modules/server': { link: true, resolved: 'server' },
    'node_modules/a': { dependencies: { b: '1' }, devDependencies: { unused: '1' }, peerDependencies: { peer: '1' } },
    'node_modules/a/node_modules/b': { optionalDependencies: { c: '1', elsewhere: '1' } },
    'node_modules/b': {},
    'node_modules/c': {},
    'node_modules/peer': {},
    'node_modules/tool': {},
    'node_modules/unused': {},
  }
  expect(orphans(packages)).toEqual(['node_modules/b', 'node_modules/unused'])
})
