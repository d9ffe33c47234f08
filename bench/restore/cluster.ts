// Backup of a cluster by pgBackRest, a leader that dies, and a new cluster at a time after it.

import { execFile } from 'node:child_process'
import { rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { findBrokenInvariants } from '../../server/test/invariants.ts'
import { openOwnerDatabase } from '../../server/test/data-folder-database.ts'
import type { BenchmarkContext } from '../benchmark.ts'
import { nodeSettings } from '../../ops/failover/faults.ts'
import { requireFreePort } from '../../ops/failover/free-port.ts'
import { rounded } from '../percentile.ts'
import { startBetting } from './betting.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
/** The limit of waiting until what was committed before the target is archived, in ms. */
const ARCHIVED_MS = 60_000

/** A command of `npm run ops -- cluster` on a cluster in another folder. */
async function runOn(folder: string, ...args: string[]): Promise<string> {
  const env = { ...process.env, ...nodeSettings, CLUSTER_DIR: folder }
  const { stdout } = await promisify(execFile)(process.execPath, ['ops/cluster.mjs', ...args], { cwd: root, env })
  return stdout
}

/** @param calmMs how long is bet before the backup, between it and the target, and after the target */
export async function measureCluster({ report }: BenchmarkContext, calmMs: number) {
  const folder = join(tmpdir(), `megalot-backed-up-${process.pid}`)
  const restored = join(tmpdir(), `megalot-restored-${process.pid}`)
  process.env.CLUSTER_DIR = folder
  const cluster = await import('../../ops/cluster/cluster.mjs')
  await cluster.requirePrograms()
  await requireFreePort(cluster.WEB_PORT)
  let hasMeasured = false
  try {
    await cluster.start(report, nodeSettings)
    const database = openOwnerDatabase(cluster.ownerUrl())
    const betting = await startBetting(`http://127.0.0.1:${cluster.WEB_PORT}`, database.pool)
    await database.close()
    await pause(calmMs)
    const backupAtMs = performance.now()
    report(await cluster.backup('full'))
    const backedUpAtMs = performance.now()
    await pause(calmMs)
    const killed = await cluster.killLeader()
    report(`the leader ${killed} is killed …`)
    const killedAt = Date.now()
    while (betting.book.countAcknowledgedSince(killedAt + 1_000) < 100) await pause(100)
    cluster.startMember(killed)
    await cluster.waitUntilWhole()
    await pause(calmMs)
    const target = new Date()
    await pause(calmMs)
    const undecided = await betting.end()
    const leader = (await cluster.findLeader())!
    const switchedAt = Date.now()
    // The server does so by itself once a minute.
    await cluster.runSql(leader, ['-d', 'postgres', '-Atc', 'select pg_switch_wal()'])
    const deadline = performance.now() + ARCHIVED_MS
    while (cluster.lastArchivedAt(folder) < switchedAt && performance.now() < deadline) await pause(250)
    await cluster.stop()

    const startedAtMs = performance.now()
    report(await runOn(restored, 'restore', '--to', target.toISOString(), '--from', folder))
    const restore_s = rounded((performance.now() - startedAtMs) / 1_000)
    // The same ports and log-ins.
    const opened = openOwnerDatabase(cluster.ownerUrl())
    const { rows } = await opened.pool.query<{ request_id: string }>('select request_id from orders')
    const broken = Object.entries(await findBrokenInvariants(opened.db))
    for (const [name, ids] of broken) report(`  broken: ${name}: ${JSON.stringify(ids)}`)
    await opened.close()
    const found = betting.book.compare(new Set(rows.map(({ request_id }) => request_id)), target.getTime())
    hasMeasured = true
    return {
      cluster_lost_at_target: found.lost,
      cluster_late_at_target: found.late,
      cluster_invariants_broken: broken.length,
      cluster_undecided: undecided,
      cluster_acknowledged_before_target: found.expected,
      cluster_backup_s: rounded((backedUpAtMs - backupAtMs) / 1_000),
      cluster_restore_s: restore_s,
    }
  } finally {
    if (hasMeasured) {
      await runOn(restored, 'destroy')
      rmSync(folder, { recursive: true, force: true })
    } else {
      // The logs say why.
      await runOn(restored, 'stop').catch(() => '')
      await cluster.stop()
      report(`logs in ${join(folder, 'log')} and ${join(restored, 'log')}`)
    }
  }
}
