// All metrics of the application: name, labels and meaning. Modules observe through these exports. The unit is part of
// the name, following Prometheus's conventions. Labels have a fixed set of values: no names, ids, sessions or periods.
// Placing tickets is observed once per batch, except for request durations, which are per request.

import { Counter, Gauge, Histogram, Registry } from 'prom-client'

/** What the metrics server shows. */
export const metricsRegistry = new Registry()
const registers = [metricsRegistry]

/** A gauge whose value is read from its sources on each scrape. */
export interface SampledGauge<Label extends string> {
  /**
   * Adds a source; sources with equal labels are added up.
   * @returns a function that removes the source
   */
  addSource(labels: Readonly<Record<Label, string>>, read: () => number): () => void
}

function createSampledGauge<Label extends string = never>(
  name: string,
  help: string,
  labelNames: readonly Label[] = [],
): SampledGauge<Label> {
  const sources = new Set<{ labels: Readonly<Record<Label, string>>; read: () => number }>()
  const gauge = new Gauge<string>({
    name,
    help,
    labelNames,
    registers,
    collect: () => {
      gauge.reset()
      for (const { labels, read } of sources) gauge.inc(labels, read())
    },
  })
  return {
    addSource: (labels, read) => {
      const source = { labels, read }
      sources.add(source)
      return () => sources.delete(source)
    },
  }
}

export const buildInfo = new Gauge({
  name: 'megalot_build_info',
  help: 'The version that this node runs; the value is always 1',
  labelNames: ['version'],
  registers,
})

// Requests

/** Durations of requests and batches, in seconds. */
const LATENCY_BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

export const requestSeconds = new Histogram({
  name: 'megalot_http_request_seconds',
  help: 'Time from the head of a request to the end of its reply, by route template; live streams are not among them',
  labelNames: ['method', 'route', 'status'],
  buckets: LATENCY_BUCKETS,
  registers,
})

export const refusalsTotal = new Counter({
  name: 'megalot_refusals_total',
  help: 'Calls that were refused, by the code of the refusal; server_error is a failure of the application itself',
  labelNames: ['code'],
  registers,
})

// Initialised, so that a first failure shows as an increase.
for (const code of ['server_error', 'unavailable']) refusalsTotal.inc({ code }, 0)

export const overloadRefusalsTotal = new Counter({
  name: 'megalot_overload_refusals_total',
  help: 'Calls that were refused because the event loop was late; they are among the refusals with the code unavailable',
  registers,
})

export const liveStreams = createSampledGauge('megalot_live_streams', 'Live streams that are open on this node')

// Visits

/** Web vitals, by the page's pattern and its application: member, console. Browsers report them, so they may be forged. */
const vitalLabels = ['application', 'page'] as const

export const pageLcpSeconds = new Histogram({
  name: 'megalot_page_lcp_seconds',
  help: 'Time until a visit painted the largest content of its first page (LCP)',
  labelNames: vitalLabels,
  buckets: [0.5, 1, 2.5, 4, 8],
  registers,
})

export const pageInpSeconds = new Histogram({
  name: 'megalot_page_inp_seconds',
  help: 'Time from the slowest interaction of a visit to its paint (INP), by the page of the interaction',
  labelNames: vitalLabels,
  buckets: [0.05, 0.1, 0.2, 0.5, 1],
  registers,
})

export const pageCls = new Histogram({
  name: 'megalot_page_layout_shift_ratio',
  help: 'The largest layout shift score of a visit (CLS), by the page on which it was reached',
  labelNames: vitalLabels,
  buckets: [0.02, 0.1, 0.25],
  registers,
})

// Intake of tickets

export const batchTickets = new Histogram({
  name: 'megalot_intake_batch_tickets',
  help: 'Tickets in a batch, by queue: cached, read',
  labelNames: ['queue'],
  buckets: [1, 2, 4, 8, 16, 32, 64, 128, 256],
  registers,
})

export const batchSeconds = new Histogram({
  name: 'megalot_intake_batch_seconds',
  help: 'Time that a batch takes through the attempts of its queue: cached, read',
  labelNames: ['queue'],
  buckets: LATENCY_BUCKETS,
  registers,
})

export const queuedTickets = createSampledGauge(
  'megalot_intake_queue_tickets',
  'Tickets in the queues of batches, without those that wait for others of their member',
)

export const attemptsTotal = new Counter({
  name: 'megalot_intake_attempts_total',
  help: 'Attempts to place a batch or what is left of it, by attempt: cached, read, readLocked, single',
  labelNames: ['attempt'],
  registers,
})

export const decidedTicketsTotal = new Counter({
  name: 'megalot_intake_decided_tickets_total',
  help: 'Tickets by the attempt that decided them; all others went on to the next attempt',
  labelNames: ['attempt'],
  registers,
})

export const violationsTotal = new Counter({
  name: 'megalot_intake_violations_total',
  help: 'Transactions of an attempt that the database rejected, by the violated precondition or constraint, else by SQLSTATE',
  labelNames: ['attempt', 'constraint'],
  registers,
})

// Initialised as above, because a deadlock raises an alert.
for (const attempt of ['cached', 'read', 'readLocked', 'single'])
  violationsTotal.inc({ attempt, constraint: '40P01' }, 0)

export const writeSeconds = new Histogram({
  name: 'megalot_intake_write_seconds',
  help: 'Time of the call that writes a batch; for the cached attempt it includes the commit',
  buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
  registers,
})

// Caches

/** A node's caches: callers, periods with their members, quotas, and the number states last published. */
export type CacheName = 'callers' | 'periods' | 'members' | 'quotas' | 'numbers'

const cacheReadsTotal = new Counter({
  name: 'megalot_cache_reads_total',
  help: 'Reads of a cache, by whether it held what was asked for',
  labelNames: ['cache', 'result'],
  registers,
})

/** Counts cache reads. */
export function countCacheReads(cache: CacheName, hits: number, misses: number): void {
  if (hits > 0) cacheReadsTotal.inc({ cache, result: 'hit' }, hits)
  if (misses > 0) cacheReadsTotal.inc({ cache, result: 'miss' }, misses)
}

// Connections of the database

const poolConnections = createSampledGauge('megalot_pool_connections', 'Connections of a pool, by what they do', [
  'role',
  'pool',
  'state',
])

const poolWaits = createSampledGauge('megalot_pool_waiting_calls', 'Calls that wait for a connection of a pool', [
  'role',
  'pool',
])

/** Counts of a connection pool. */
interface PoolCounts {
  totalCount: number
  idleCount: number
  waitingCount: number
}

/**
 * Reports the use of pools by name.
 * @returns a function that ends it, to call when the pools are closed
 */
export function observePools(role: string, pools: Readonly<Record<string, PoolCounts>>): () => void {
  const removals = Object.entries(pools).flatMap(([pool, counts]) => [
    poolConnections.addSource({ role, pool, state: 'used' }, () => counts.totalCount - counts.idleCount),
    poolConnections.addSource({ role, pool, state: 'idle' }, () => counts.idleCount),
    poolWaits.addSource({ role, pool }, () => counts.waitingCount),
  ])
  return () => {
    for (const remove of removals) remove()
  }
}

// The database

export const lockWaits = new Gauge({
  name: 'megalot_database_lock_waits',
  help: 'Sessions of the database that wait for a lock',
  registers,
})

export const changedLogInSettings = new Gauge({
  name: 'megalot_database_log_in_settings_changed',
  help: 'Settings of the log-ins of the database that are not those of server/roles.sql',
  registers,
})

export const oldestTransactionSeconds = new Gauge({
  name: 'megalot_database_oldest_transaction_seconds',
  help: 'For how long this node has seen the oldest transaction of the database that has a number',
  registers,
})

export const archivedTimestamp = new Gauge({
  name: 'megalot_database_archived_timestamp_seconds',
  help: 'When the database last handed a segment of its write-ahead log to its archive, in Unix time; 0: never since it leads',
  registers,
})

export const notificationQueueRatio = new Gauge({
  name: 'megalot_database_notification_queue_ratio',
  help: 'The part of the queue of notifications that waits for somebody who listens, 0 to 1; at 1 no transaction that notifies commits',
  registers,
})

export const clockOffsetSeconds = new Gauge({
  name: 'megalot_clock_offset_seconds',
  help: 'By how much the clock of this node is ahead of that of the database, whose clock decides',
  registers,
})

// Jobs

export const jobLagSeconds = new Histogram({
  name: 'megalot_job_lag_seconds',
  help: 'How late a job began, by the clock of the database',
  labelNames: ['job_name'],
  buckets: [0.1, 0.5, 1, 2.5, 5, 10, 30, 60, 300],
  registers,
})

export const jobSeconds = new Histogram({
  name: 'megalot_job_run_seconds',
  help: 'Time that a run of a job takes, failed runs too',
  labelNames: ['job_name'],
  buckets: [0.01, 0.05, 0.1, 0.5, 1, 5, 10, 60, 300],
  registers,
})

export const jobFailuresTotal = new Counter({
  name: 'megalot_job_failures_total',
  help: 'Runs of a job that failed; worker: the worker itself lost its database',
  labelNames: ['job_name'],
  registers,
})

export const bookDifferences = new Gauge({
  name: 'megalot_book_differences',
  help: 'Periods whose book differs from tickets, quotas, members or the ledger and that are not paid: any is an alarm',
  registers,
})

export const bookUnsealed = new Gauge({
  name: 'megalot_book_unsealed_periods',
  help: 'Closed periods whose book could not be sealed at the last try: a transaction that has written tickets is open still, or the seal fails',
  registers,
})

export const bookStepSeconds = new Histogram({
  name: 'megalot_book_step_seconds',
  help: 'Time of a step that counts new tickets into the book',
  buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5],
  registers,
})

export const auditProblems = new Gauge({
  name: 'megalot_audit_chain_problems',
  help: 'Problems that the last verification of the audit log on this node found: any is an alarm',
  registers,
})

export const brokenInvariants = new Gauge({
  name: 'megalot_broken_invariants',
  help: 'Whether an invariant of money is broken (1) or holds (0), by its code: any 1 is an alarm',
  labelNames: ['invariant'],
  registers,
})

export const auditorTimestamp = new Gauge({
  name: 'megalot_auditor_last_run_timestamp_seconds',
  help: 'When the auditor last ended, in Unix time: a check of what had changed (changes), a check of everything (everything); 0: never',
  labelNames: ['check'],
  registers,
})

export const unsentAlarms = new Gauge({
  name: 'megalot_unsent_alarms',
  help: 'Alarms that are not delivered yet: they are tried again',
  registers,
})

export const jobSuccessTimestamp = new Gauge({
  name: 'megalot_job_last_success_timestamp_seconds',
  help: 'When a job last succeeded on this node, in Unix time',
  labelNames: ['job_name'],
  registers,
})
