// The baseline: pgbench's TPC-B-like run (a bank teller: three updates, one select, one insert per transaction), by
// Debian's pgbench, on the same server.

import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { DatabaseAddress } from '../app/app-database.ts'

const SCALE = 50
const CLIENTS = 32

function findPgbench(): string {
  const versions = existsSync('/usr/lib/postgresql') ? readdirSync('/usr/lib/postgresql') : []
  const folders = [
    ...versions.map((version) => join('/usr/lib/postgresql', version, 'bin')),
    ...(process.env.PATH ?? '').split(':'),
  ]
  const found = folders.map((folder) => join(folder, 'pgbench')).find((path) => existsSync(path))
  if (!found) throw new Error('pgbench was not found: apt-get install postgresql-contrib')
  return found
}

/** Output of pgbench against its own database on that server. */
function runPgbench({ host, port, user, password }: DatabaseAddress, args: readonly string[]): string {
  const address = ['-h', host, '-p', String(port), '-U', user]
  return execFileSync(findPgbench(), [...address, ...args, 'tpcb'], {
    env: { ...process.env, PGPASSWORD: password },
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  })
}

/** Creates the tables of the baseline in the database `tpcb`, which must exist. */
export function fillTpcb(address: DatabaseAddress): void {
  runPgbench(address, ['--initialize', '--quiet', `--scale=${SCALE}`])
}

/** Transactions per second, excluding the time to connect. */
export function measureTpcb(address: DatabaseAddress, seconds: number): number {
  const output = runPgbench(address, [
    `--client=${CLIENTS}`,
    '--jobs=2',
    `--time=${seconds}`,
    '--protocol=prepared',
    '--no-vacuum',
  ])
  const tps = Number(/tps = ([\d.]+)/.exec(output)?.[1])
  if (!(tps > 0)) throw new Error(`pgbench did not say how fast it was:\n${output}`)
  return tps
}
