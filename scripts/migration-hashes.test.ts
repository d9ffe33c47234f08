// A migration that ran on databases is not edited, removed or overtaken.

import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { findEditedMigrations, landMigrations } from './migration-hashes.mjs'

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'megalot-migrations-'))
  writeFileSync(join(folder, '0001-a.sql'), 'select 1;')
  writeFileSync(join(folder, '0003-b.sql'), 'select 2;')
  landMigrations(folder)
})
afterEach(() => rmSync(folder, { recursive: true }))

test('landed files pass', () => {
  expect(findEditedMigrations(folder)).toEqual([])
})

test('an edited file fails, and landing again does not change its hash', () => {
  writeFileSync(join(folder, '0001-a.sql'), 'select 1 ;')
  expect(landMigrations(folder)).toEqual([])
  expect(findEditedMigrations(folder)).toEqual([expect.stringContaining('0001-a.sql was edited')])
})

test('a removed or renamed file fails', () => {
  renameSync(join(folder, '0003-b.sql'), join(folder, '0004-b.sql'))
  expect(findEditedMigrations(folder)).toEqual([
    expect.stringContaining('0003-b.sql has landed and is gone'),
    expect.stringContaining('0004-b.sql has no hash'),
  ])
})

test('a new file fails until it is landed', () => {
  writeFileSync(join(folder, '0004-c.sql'), 'select 3;')
  expect(findEditedMigrations(folder)).toEqual([expect.stringContaining('0004-c.sql has no hash')])
  expect(landMigrations(folder)).toEqual(['0004-c.sql'])
  expect(findEditedMigrations(folder)).toEqual([])
})

test('a new file that would run after later ones fails', () => {
  writeFileSync(join(folder, '0002-c.sql'), 'select 3;')
  expect(findEditedMigrations(folder)).toEqual([expect.stringContaining('0002-c.sql comes before 0003-b.sql')])
})
