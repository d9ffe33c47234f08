// Whether a cluster that loses a machine loses a ticket: members bet through HAProxy while the leader, its PostgreSQL, a standby,
// a node, HAProxy or etcd is killed or stands still. Afterwards every ticket is accounted for.

import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { findBrokenInvariants } from '../server/test/invariants.ts'
import { openOwnerDatabase } from '../server/test/data-folder-database.ts'
import type { Benchmark, BenchmarkContext, Measured } from './benchmark.ts'
import { Client } from './client.ts'
import { makeTicket, openMarkets } from './crash/markets.ts'
import { type Betting, keepBetting } from './crash/member.ts'
import { checkBook, TicketBook, type WrittenTicket } from './crash/ticket-book.ts'
import { type Cluster, type Fault, faults, nodeSettings } from './failover/faults.ts'
import { requireFreePort } from './failover/free-port.ts'
import { rounded } from './percentile.ts'

const members = Array.from({ length: 20 }, (_, index) => `member${String(index + 1).padStart(2, '0')}`)
const placesPerMember = 2
const enough_satang = 100_000_000_000
/** How long is bet undisturbed before each fault, in ms. */
const CALM_MS = 3_000
/** So many tickets that were sent after a fault are acknowledged: it serves again. */
const ticketsAgain = 25
/** The limit from a fault until then. */
const RECOVERY_MS = 120_000
/** The limit from the last repair until every ticket must have a definite state. */
const DECIDED_MS = 40_000

/** When tickets were acknowledged, in ms. */
class Acknowledgements {
  private readonly all: { sentAtMs: number; atMs: number }[] = []

  record(sentAtMs: number): void {
    this.all.push({ sentAtMs, atMs: performance.now() })
  }

  countSentSince(fromMs: number): number {
    return this.all.filter(({ sentAtMs }) => sentAtMs > fromMs).length
  }

  /** The longest time without one between two instants. */
  longestGapMs(fromMs: number, toMs: number): number {
    const times = this.all.map(({ atMs }) => atMs).filter((atMs) => atMs >= fromMs && atMs <= toMs)
    let longest = 0
    let last = fromMs
    for (const atMs of [...times, toMs]) {
      longest = Math.max(longest, atMs - last)
      last = atMs
    }
    return longest
  }
}

interface Round {
  fault: Fault
  gapMs: number
}

/** @throws Error where the cluster does not serve again, or is not whole again */
async function runFault(
  cluster: Cluster,
  fault: Fault,
  acknowledgements: Acknowledgements,
  report: BenchmarkContext['report'],
): Promise<Round> {
  await pause(CALM_MS)
  const hitAtMs = performance.now()
  const hit = await fault.hit(cluster)
  // Acknowledgements that were on their way do not count.
  const fromMs = performance.now() + 5
  const deadline = fromMs + RECOVERY_MS
  while (acknowledgements.countSentSince(fromMs) < ticketsAgain) {
    if (performance.now() > deadline) throw new Error(`${fault.name} (${hit}): no tickets for ${RECOVERY_MS / 1_000} s`)
    await pause(20)
  }
  const gapMs = acknowledgements.longestGapMs(hitAtMs, performance.now())
  await fault.repair(cluster, hit)
  report(`${fault.name} (${hit}): ${Math.round(gapMs)} ms without an acknowledgement`)
  return { fault, gapMs }
}

async function measure(cluster: Cluster, { report, readOption }: BenchmarkContext): Promise<Measured> {
  const startedAtMs = performance.now()
  const url = `http://127.0.0.1:${cluster.WEB_PORT}`
  const office = new Client(url)
  await office.logIn('office01')
  const clients = new Map(members.map((username) => [username, new Client(url, placesPerMember)]))
  for (const [username, client] of clients) await client.logIn(username)
  const prepared = openOwnerDatabase(cluster.ownerUrl())
  const opened = await openMarkets(prepared.pool, office, clients.get(members[0]!)!)
  office.close()
  await prepared.pool.query(
    `update accounts set floor_satang = -$1::bigint from users
     where kind = 'cash' and users.user_id = accounts.user_id and level = 'member'`,
    [enough_satang],
  )
  // Members who bet for a quarter of an hour would reach it.
  await prepared.pool.query('update package_terms set max_per_number_satang = $1', [enough_satang])
  await prepared.close()

  // A short form: one leader is killed.
  const isShort = readOption('short', 2) === 1
  const plan = faults.flatMap((fault) =>
    Array<Fault>(isShort ? Number(fault.name === 'leader-kills') : readOption(fault.name, fault.times)).fill(fault),
  )
  const book = new TicketBook()
  const acknowledgements = new Acknowledgements()
  const betting: Betting = {
    book,
    isOpen: true,
    isOver: false,
    onPlaced: (sentAtMs) => acknowledgements.record(sentAtMs),
    makeTicket: () => makeTicket(opened),
  }
  const ended = Promise.all(
    [...clients].flatMap(([username, client]) =>
      Array.from({ length: placesPerMember }, () => keepBetting(client, username, betting)),
    ),
  )
  const rounds: Round[] = []
  try {
    for (const fault of plan) rounds.push(await runFault(cluster, fault, acknowledgements, report))
    betting.isOpen = false
    await Promise.race([ended, pause(DECIDED_MS, undefined, { ref: false })])
  } finally {
    betting.isOpen = false
    betting.isOver = true
    await ended
  }
  const undecided = book.countUndecided()

  report(`asking for ${book.entries.size} tickets …`)
  const database = openOwnerDatabase(cluster.ownerUrl())
  const { rows: written } = await database.pool.query<WrittenTicket>(
    'select order_id::int, request_id, username from orders join users using (user_id)',
  )
  const broken = Object.entries(await findBrokenInvariants(database.db))
  for (const [name, ids] of broken) report(`  broken: ${name}: ${JSON.stringify(ids)}`)
  await database.close()
  const countStatus = (status: number): number =>
    [...clients.values()].reduce((sum, { serverErrors }) => sum + (serverErrors.get(status) ?? 0), 0)
  const [http_500, http_503] = [countStatus(500), countStatus(503)]
  const verdict = await checkBook(book, written, clients, report)
  for (const client of clients.values()) client.close()

  const gaps = faults.flatMap(({ name, maxGapMs }) => {
    const times = rounds.filter(({ fault }) => fault.name === name).map(({ gapMs }) => gapMs)
    return times.length === 0 ? [] : [{ name: name.replaceAll('-', '_'), times, maxGapMs }]
  })
  const figures = {
    ...verdict,
    invariants_broken: broken.length,
    http_500,
    undecided,
    acknowledged: book.count('placed'),
    changes_acknowledged: book.changes,
    unknown_outcomes: book.unknownOutcomes,
    http_503,
    refused: book.count('refused'),
    ...Object.fromEntries([...book.refusals].map(([code, times]) => [`refusal_${code}`, times])),
    ...Object.fromEntries(gaps.map(({ name, times }) => [name, times.length])),
    ...Object.fromEntries(gaps.map(({ name, times }) => [`${name}_longest_gap_ms`, rounded(Math.max(...times))])),
    duration_s: rounded((performance.now() - startedAtMs) / 1_000),
  }
  const none = ['acknowledged_lost', 'duplicated', 'refused_but_placed', 'invariants_broken', 'http_500', 'undecided']
  const goals = [
    ...none.map((figure) => ({ figure, limit: 0, at: 'most' as const })),
    ...gaps.flatMap(({ name, maxGapMs }) =>
      maxGapMs === undefined ? [] : [{ figure: `${name}_longest_gap_ms`, limit: maxGapMs, at: 'most' as const }],
    ),
  ]
  return { figures, goals }
}

export const bench: Benchmark = {
  name: 'failover',
  description: 'each loss that a cluster must survive, under betting; --leader-kills=10 and so on, --short=1: one kill',
  async run(context) {
    // A cluster of its own, unless the caller names a folder.
    process.env.CLUSTER_DIR ||= join(tmpdir(), `megalot-failover-${process.pid}`)
    const cluster = await import('../scripts/cluster/cluster.mjs')
    await cluster.requirePrograms()
    await requireFreePort(cluster.WEB_PORT)
    let hasMeasured = false
    try {
      await cluster.start(context.report, nodeSettings)
      const measured = await measure(cluster, context)
      hasMeasured = true
      return measured
    } catch (error) {
      context.report(await cluster.describe())
      throw error
    } finally {
      if (hasMeasured) await cluster.destroy()
      else {
        // The logs say why.
        await cluster.stop()
        context.report(`logs in ${join(cluster.folder, 'log')}`)
      }
    }
  },
}
