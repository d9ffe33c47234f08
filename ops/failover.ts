// Whether a cluster that loses a machine loses a ticket. Members bet through HAProxy while the leader, its PostgreSQL,
// a standby, a node, HAProxy or etcd is killed or frozen. Afterwards every ticket is accounted for.

import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { openOwnerDatabase } from '../server/test/data-folder-database.ts'
import type { Benchmark, BenchmarkContext, Measured } from '../bench/benchmark.ts'
import { Acknowledgements } from './crash/acknowledgements.ts'
import { prepareBettors, startBettors } from './crash/bettors.ts'
import { TicketBook } from './crash/ticket-book.ts'
import { findVerdict } from './crash/verdict.ts'
import { type Cluster, type Fault, faults, nodeSettings } from './failover/faults.ts'
import { requireFreePort } from './failover/free-port.ts'
import { rounded } from '../bench/percentile.ts'

/** Undisturbed betting before each fault, in ms. */
const CALM_MS = 3_000
/** Number of acknowledged tickets, sent after a fault, that counts as serving again. */
const ticketsAgain = 25
/** The limit from a fault until then. */
const RECOVERY_MS = 120_000
/** Limit from the last repair until every ticket must have a definite state. */
const DECIDED_MS = 40_000

interface Round {
  fault: Fault
  gapMs: number
}

/** @throws Error if the cluster does not serve again, or is not complete again */
async function runFault(
  cluster: Cluster,
  fault: Fault,
  acknowledgements: Acknowledgements,
  report: BenchmarkContext['report'],
): Promise<Round> {
  await pause(CALM_MS)
  const hitAtMs = performance.now()
  const hit = await fault.hit(cluster)
  // Acknowledgements already on their way do not count.
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
  const prepared = openOwnerDatabase(cluster.ownerUrl())
  const bettors = await prepareBettors(url, prepared.pool)
  await prepared.close()

  // The short form kills one leader. Otherwise, only the named faults, if any are named.
  const isShort = readOption('short', 2) === 1
  const isPart = readOption('part', 2) === 1
  const timesOf = ({ name, times }: Fault): number =>
    isShort ? Number(name === 'leader-kills') : readOption(name, isPart ? 0 : times)
  const plan = faults.flatMap((fault) => Array<Fault>(timesOf(fault)).fill(fault))
  const book = new TicketBook()
  const acknowledgements = new Acknowledgements()
  const { betting, ended } = startBettors(bettors, book, (sentAtMs) => acknowledgements.record(sentAtMs))
  const rounds: Round[] = []
  try {
    const untilMs = performance.now() + readOption('minutes', 60) * 60_000
    for (const fault of plan) {
      if (performance.now() > untilMs) {
        report(`the time is over: ${plan.length - rounds.length} faults are left out`)
        break
      }
      rounds.push(await runFault(cluster, fault, acknowledgements, report))
    }
    betting.isOpen = false
    await Promise.race([ended, pause(DECIDED_MS, undefined, { ref: false })])
  } finally {
    betting.isOpen = false
    betting.isOver = true
    await ended
  }
  const undecided = book.countUndecided()

  const { clients } = bettors
  const countStatus = (status: number): number =>
    [...clients.values()].flatMap(({ serverErrors }) => serverErrors).filter((error) => error.status === status).length
  const [http_500, http_503] = [countStatus(500), countStatus(503)]
  const verdict = await findVerdict(cluster.ownerUrl(), book, clients, report)
  for (const client of clients.values()) client.close()

  const gaps = faults.flatMap(({ name, maxGapMs }) => {
    const times = rounds.filter(({ fault }) => fault.name === name).map(({ gapMs }) => gapMs)
    return times.length === 0 ? [] : [{ name: name.replaceAll('-', '_'), times, maxGapMs }]
  })
  const figures = {
    ...verdict,
    http_500,
    undecided,
    acknowledged: book.count('placed'),
    changes_acknowledged: book.changes,
    faults_left_out: plan.length - rounds.length,
    unknown_outcomes: book.unknownOutcomes,
    http_503,
    refused: book.count('refused'),
    ...Object.fromEntries([...book.refusals].map(([code, times]) => [`refusal_${code}`, times])),
    ...Object.fromEntries(gaps.map(({ name, times }) => [name, times.length])),
    ...Object.fromEntries(gaps.map(({ name, times }) => [`${name}_longest_gap_ms`, rounded(Math.max(...times))])),
    duration_s: rounded((performance.now() - startedAtMs) / 1_000),
  }
  const none = [
    'acknowledged_lost',
    'duplicated',
    'refused_but_placed',
    'invariants_broken',
    'http_500',
    'undecided',
    'faults_left_out',
  ]
  const goals = [
    ...none.map((figure) => ({ figure, limit: 0, at: 'most' as const })),
    // The short form is a test on a possibly busy machine: it reports the gap without a limit.
    ...gaps.flatMap(({ name, maxGapMs }) =>
      maxGapMs === undefined || isShort
        ? []
        : [{ figure: `${name}_longest_gap_ms`, limit: maxGapMs, at: 'most' as const }],
    ),
  ]
  return { figures, goals }
}

export const bench: Benchmark = {
  name: 'failover',
  description:
    'each loss that a cluster must survive, under betting; --leader-kills=10 and so on, --part=1: those alone; --minutes=60: the time for them; --short=1: one kill',
  async run(context) {
    // Uses its own cluster, unless the caller names a folder.
    process.env.CLUSTER_DIR ||= join(tmpdir(), `megalot-failover-${process.pid}`)
    const cluster = await import('./cluster/cluster.mjs')
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
        // The logs show why.
        await cluster.stop()
        context.report(`logs in ${join(cluster.folder, 'log')}`)
      }
    }
  },
}
