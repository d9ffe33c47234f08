// Whether a new version can be rolled out during betting. Two nodes behind HAProxy are replaced one after the other, by
// an earlier commit and this one in turn. Every ticket is accounted for, and every reply from 500 on is counted.

import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { openOwnerDatabase } from '../server/test/data-folder-database.ts'
import type { Benchmark, BenchmarkContext, Measured } from '../bench/benchmark.ts'
import type { Client } from '../bench/client.ts'
import { Acknowledgements } from './crash/acknowledgements.ts'
import { prepareBettors, startBettors } from './crash/bettors.ts'
import { TicketBook } from './crash/ticket-book.ts'
import { findVerdict } from './crash/verdict.ts'
import { type Cluster, nodeSettings } from './failover/faults.ts'
import { requireFreePort } from './failover/free-port.ts'
import { percentile, rounded } from '../bench/percentile.ts'
import { makeOlderVersion, type OlderVersion } from './rolling/older-version.ts'
import { Pages } from './rolling/pages.ts'

/**
 * Disabled, because a busy machine is not the topic here; the `overload` benchmark measures what a node then refuses.
 */
const settings = { ...nodeSettings, MAX_LOOP_DELAY_MS: '0' }

const root = fileURLToPath(new URL('..', import.meta.url)).replace(/\/$/, '')
const nodes = ['a', 'b']
const ROLLINGS = 5
/** How long both versions serve side by side in each rolling, and one alone between two, in ms. */
const SIDE_BY_SIDE_MS = 5_000
const ALONE_MS = 2_000
/** Limit until both versions have replied; it takes longer on a busy machine. */
const REPLIED_MS = 60_000
/** Limit from the last rolling until every ticket must have a definite state. */
const DECIDED_MS = 40_000

interface Version {
  name: 'older' | 'newer'
  folder: string
}

/**
 * A figure in a row of HAProxy's statistics, such as a node's replies.
 * @throws Error if HAProxy does not show it
 */
async function readFigure(cluster: Cluster, proxy: string, server: string, column: string): Promise<number> {
  const row = (await cluster.readBalancer()).find(({ pxname, svname }) => pxname === proxy && svname === server)
  const value = Number(row?.[column] ?? Number.NaN)
  if (!Number.isFinite(value)) throw new Error(`HAProxy shows no ${column} of ${proxy}/${server}`)
  return value
}

const countServerErrors = (cluster: Cluster): Promise<number> => readFigure(cluster, 'web', 'FRONTEND', 'hrsp_5xx')
/** Errors of the nodes themselves. Some reach nobody: a ticket is refused as too late after its client has left. */
async function countErrorsOfNodes(cluster: Cluster): Promise<number> {
  const counts = ['ready', 'files', 'any'].flatMap((proxy) =>
    nodes.map((node) => readFigure(cluster, proxy, node, 'hrsp_5xx')),
  )
  return (await Promise.all(counts)).reduce((sum, count) => sum + count, 0)
}
const countReplies = (cluster: Cluster, node: string): Promise<number> => readFigure(cluster, 'ready', node, 'hrsp_2xx')

/** As an operator does: drain, start the other version, and continue once the balancer uses it. */
async function replaceNode(cluster: Cluster, node: string, version: Version): Promise<void> {
  await cluster.stopNode(node)
  await cluster.startNode(node, settings, version.folder)
  await cluster.waitUntilUsed(node)
}

/** Replies of each version while both serve. */
type Replies = Record<Version['name'], number>

async function runRolling(cluster: Cluster, from: Version, to: Version, replies: Replies): Promise<void> {
  const [first, second] = nodes as [string, string]
  await replaceNode(cluster, first, to)
  const count = (): Promise<number[]> => Promise.all(nodes.map((node) => countReplies(cluster, node)))
  const before = await count()
  await pause(SIDE_BY_SIDE_MS)
  const deadline = performance.now() + REPLIED_MS
  for (;;) {
    const [ofTo, ofFrom] = (await count()).map((replied, index) => replied - before[index]!) as [number, number]
    if ((ofTo > 0 && ofFrom > 0) || performance.now() > deadline) {
      replies[to.name] += ofTo
      replies[from.name] += ofFrom
      break
    }
    await pause(100)
  }
  await replaceNode(cluster, second, to)
  await pause(ALONE_MS)
}

async function measure(cluster: Cluster, older: OlderVersion, context: BenchmarkContext): Promise<Measured> {
  const { report, readOption } = context
  const url = `http://127.0.0.1:${cluster.WEB_PORT}`
  const prepared = openOwnerDatabase(cluster.ownerUrl())
  const bettors = await prepareBettors(url, prepared.pool)
  await prepared.close()
  const book = new TicketBook()
  const acknowledgements = new Acknowledgements()
  const { betting, ended } = startBettors(bettors, book, (sentAtMs) => acknowledgements.record(sentAtMs))
  const pages = new Pages(url)
  pages.start(bettors.clients.values())

  const versions: Record<Version['name'], Version> = {
    older: { name: 'older', folder: older.folder },
    newer: { name: 'newer', folder: root },
  }
  const replies: Replies = { older: 0, newer: 0 }
  const isShort = readOption('short', 2) === 1
  const rollings = isShort ? 1 : readOption('rollings', ROLLINGS)
  const fromMs = performance.now()
  let longestGapMs = 0
  try {
    await pause(ALONE_MS)
    for (let rolling = 0; rolling < rollings; rolling++) {
      // Every second rolling goes back, as if the new version were withdrawn.
      const [from, to] = rolling % 2 === 0 ? [versions.older, versions.newer] : [versions.newer, versions.older]
      const startedAtMs = performance.now()
      await runRolling(cluster, from, to, replies)
      const gapMs = acknowledgements.longestGapMs(startedAtMs, performance.now())
      const errors = await countServerErrors(cluster)
      longestGapMs = Math.max(longestGapMs, gapMs)
      report(
        `rolling ${rolling + 1}, ${from.name} → ${to.name}: ${rounded((performance.now() - startedAtMs) / 1_000)} s, ` +
          `at most ${Math.round(gapMs)} ms without an acknowledgement, ${errors} replies from 500 on so far, ${await countErrorsOfNodes(cluster)} of them by nodes`,
      )
    }
    betting.isOpen = false
    await Promise.race([ended, pause(DECIDED_MS, undefined, { ref: false })])
  } finally {
    betting.isOpen = false
    betting.isOver = true
    await ended
    await pages.stop()
  }
  const toMs = performance.now()
  const undecided = book.countUndecided()
  const { acknowledged_lost, ...verdict } = await findVerdict(cluster.ownerUrl(), book, bettors.clients, report)
  const sumOf = (pick: (client: Client) => number): number =>
    [...bettors.clients.values()].reduce((sum, client) => sum + pick(client), 0)
  const [all_5xx, nodes_5xx] = await Promise.all([countServerErrors(cluster), countErrorsOfNodes(cluster)])
  const seen = [...bettors.clients.values()].flatMap(({ serverErrors }) =>
    serverErrors.map(({ status, said }) => `${status} ${said}`),
  )
  for (const text of new Set(seen)) report(`a member got ${text}, ${seen.filter((one) => one === text).length} times`)
  for (const client of bettors.clients.values()) client.close()
  const tookMs = acknowledgements.tookMs()
  const figures = {
    failed_acknowledged: acknowledged_lost,
    ...verdict,
    undecided,
    http_5xx: Math.max(all_5xx, seen.length),
    http_5xx_of_balancer: Math.max(0, all_5xx - nodes_5xx),
    http_5xx_seen_by_members: seen.length,
    http_5xx_of_nodes: nodes_5xx,
    connections_broken: sumOf(({ lost }) => lost.broken),
    streams_cut: pages.streams.cut,
    streams_refused: pages.streams.refused,
    files_missing: pages.files.missing,
    files_failed: pages.files.failed,
    rollings,
    is_earlier_commit: Number(older.isEarlierCommit),
    replies_of_older_side_by_side: replies.older,
    replies_of_newer_side_by_side: replies.newer,
    acknowledged: book.count('placed'),
    changes_acknowledged: book.changes,
    refused: book.count('refused'),
    ...Object.fromEntries([...book.refusals].map(([code, times]) => [`refusal_${code}`, times])),
    calls_late: sumOf(({ lost }) => lost.late),
    streams_moved: pages.streams.moved,
    files_fetched: pages.files.fetched,
    longest_gap_ms: rounded(longestGapMs),
    p50_ms: rounded(percentile(tookMs, 0.5)),
    p99_ms: rounded(percentile(tookMs, 0.99)),
    duration_s: rounded((toMs - fromMs) / 1_000),
  }
  const none = [
    'failed_acknowledged',
    'duplicated',
    'refused_but_placed',
    'invariants_broken',
    'undecided',
    // The short form runs beside other tests, where a slow node may refuse tickets whose clients no longer wait for the
    // reply.
    ...(isShort ? ['http_5xx_of_balancer', 'http_5xx_seen_by_members'] : ['http_5xx']),
    'connections_broken',
    'streams_cut',
    'streams_refused',
    'files_missing',
    'files_failed',
  ]
  const some = ['replies_of_older_side_by_side', 'replies_of_newer_side_by_side', 'streams_moved', 'acknowledged']
  return {
    figures,
    notes: { older: older.name },
    goals: [
      ...none.map((figure) => ({ figure, limit: 0, at: 'most' as const })),
      ...some.map((figure) => ({ figure, limit: 1, at: 'least' as const })),
    ],
  }
}

export const bench: Benchmark = {
  name: 'rolling',
  description:
    'two nodes replaced by another version in turn, under betting; --rollings=5, --short=1: one; ROLLING_FROM=COMMIT',
  async run(context) {
    // Uses its own cluster, unless the caller names a folder.
    process.env.CLUSTER_DIR ||= join(tmpdir(), `megalot-rolling-${process.pid}`)
    const cluster = await import('./cluster/cluster.mjs')
    await cluster.requirePrograms()
    await requireFreePort(cluster.WEB_PORT)
    const older = await makeOlderVersion(context.report)
    let hasMeasured = false
    try {
      await cluster.start(context.report, settings, older.folder)
      const measured = await measure(cluster, older, context)
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
      older.remove()
    }
  },
}
