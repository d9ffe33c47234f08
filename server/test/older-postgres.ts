// A PostgreSQL of an older major version, from npm: for migrations on it, and for the way to the one that comes along.

import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type { Binaries } from '../src/platform/embedded-postgres.ts'

export const OLDER_MAJOR = '17'

/** @throws Error where there is none for this machine */
export function findOlderPostgres(): Binaries & { binFolder: string } {
  const own = createRequire(createRequire(import.meta.url).resolve('embedded-postgres-17'))
  const system = process.platform === 'win32' ? 'windows' : process.platform
  const program = own.resolve(`@embedded-postgres/${system}-${process.arch}`)
  const binFolder = join(dirname(program), '..', 'native', 'bin')
  return { binFolder, postgres: join(binFolder, 'postgres'), initdb: join(binFolder, 'initdb') }
}
