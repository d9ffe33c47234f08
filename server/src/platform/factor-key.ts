// The key that encrypts the secrets of authenticator apps. It is never in the database: a copy of the database alone does not
// show the secrets.

import { randomBytes } from 'node:crypto'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Config } from '../config.ts'

const FILE = 'factor.key'
const KEY_BYTES = 32

/**
 * The configured key, or that of a file in `dataDir`, which is made where it is missing. In production with a database of
 * its own there is no such file: nodes would have different keys, and a container would lose its key when it is replaced.
 * @returns undefined where there is no key
 */
export async function readFactorKey({
  factorKey,
  isProduction,
  databaseUrl,
  dataDir,
}: Pick<Config, 'factorKey' | 'isProduction' | 'databaseUrl' | 'dataDir'>): Promise<Buffer | undefined> {
  if (factorKey) return factorKey
  if (isProduction && databaseUrl !== undefined) return undefined
  const path = join(dataDir, FILE)
  await mkdir(dataDir, { recursive: true })
  try {
    // `wx`: of two processes that start together one makes the file, and both read it.
    await writeFile(path, randomBytes(KEY_BYTES), { flag: 'wx', mode: 0o600 })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
  const key = await readFile(path)
  if (key.length !== KEY_BYTES) throw new Error(`${path} is damaged: a key has ${KEY_BYTES} bytes.`)
  return key
}
