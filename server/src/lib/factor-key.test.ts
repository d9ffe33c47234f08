// The key of authenticator apps is the configured one, otherwise one that stays in the data folder; production with its
// own database creates none.

import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { readFactorKey } from './factor-key.ts'

const dataDir = await mkdtemp(join(tmpdir(), 'megalot-factor-key-'))
afterAll(() => rm(dataDir, { recursive: true, force: true }))

const file = join(dataDir, 'factor.key')
const nothing = { factorKey: undefined, isProduction: false, databaseUrl: undefined, dataDir }

test('the configured key is used, and no file is created', async () => {
  const factorKey = Buffer.alloc(32, 1)
  expect(await readFactorKey({ ...nothing, factorKey })).toBe(factorKey)
  await expect(stat(file)).rejects.toThrow('ENOENT')
})

test('production with its own database has no key from a file', async () => {
  expect(await readFactorKey({ ...nothing, isProduction: true, databaseUrl: 'postgresql://x/y' })).toBeUndefined()
  await expect(stat(file)).rejects.toThrow('ENOENT')
})

test('otherwise a random key is created once, readable only by its owner', async () => {
  const key = await readFactorKey(nothing)
  expect(key).toHaveLength(32)
  expect(await readFile(file)).toEqual(key)
  expect((await stat(file)).mode & 0o777).toBe(0o600)
  expect(await readFactorKey(nothing)).toEqual(key)
})

test('a damaged file is named', async () => {
  await writeFile(file, 'x')
  await expect(readFactorKey(nothing)).rejects.toThrow(file)
})
