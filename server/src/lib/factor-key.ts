// The key that encrypts the secrets of authenticator apps. It is never in the database, so a copy of the database does
// not reveal them.

import { randomBytes } from 'node:crypto'
import { link, mkdir, readFile, unlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Config } from '../config.ts'

const FILE = 'factor.key'
const KEY_BYTES = 32

/**
 * The configured key, or the key file in `dataDir`, which is created if missing. In production with its own database
 * there is no key file: nodes would have different keys, and a replaced container would lose its key.
 * @returns undefined if there is no key
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
  const key = (await readIfPresent(path)) ?? (await makeKey(path))
  if (key.length !== KEY_BYTES) throw new Error(`${path} is damaged: a key has ${KEY_BYTES} bytes.`)
  return key
}

async function readIfPresent(path: string): Promise<Buffer | undefined> {
  try {
    return await readFile(path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

/** If several processes start together, one creates the file atomically, and all read it. */
async function makeKey(path: string): Promise<Buffer> {
  const draft = `${path}.${process.pid}`
  await writeFile(draft, randomBytes(KEY_BYTES), { mode: 0o600 })
  try {
    await link(draft, path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  } finally {
    await unlink(draft)
  }
  return readFile(path)
}
