// Whether acknowledged tickets are durable and exist once. Members bet through a faulty connection while the app and
// its PostgreSQL are killed (SIGKILL) at random moments and restarted. Afterwards every ticket is accounted for.

import { setTimeout as pause } from 'node:timers/promises'
import { openDataFolderDatabase } from '../server/test/data-folder-database.ts'
import type { Benchmark, BenchmarkContext, Measured } from '../bench/benchmark.ts'
import { captchaAnswer, Client } from '../bench/client.ts'
import { FaultProxy } from './crash/fault-proxy.ts'
import { KillableApp } from './crash/killable-app.ts'
import { drawBelow, makeTicket, openMarkets } from './crash/markets.ts'
import { type Betting, keepBetting, patienceMs } from './crash/member.ts'
import { checkBook, TicketBook, type WrittenTicket } from './crash/ticket-book.ts'
import { percentile, rounded } from '../bench/percentile.ts'
import { coverLimits } from '../bench/app/app-database.ts'
import { countBrokenInvariants } from '../bench/app/broken-invariants.ts'

const killsOfEach = 50
const members = Array.from({ length: 20 }, (_, index) => `member${String(index + 1).padStart(2, '0')}`)
/** Members with credit for some fifty tickets, who use it up; the others have enough. */
const membersOfLittleCredit = 2
const little_satang = 300_000
const enough_satang = 100_000_000_000
/** Concurrent tickets per member. */
const placesPerMember = 2
/** No more kills after this time, so that a run ends within twenty minutes. */
const KILLING_MS = 960_000
/** An application that takes longer to restart counts as failed. */
const RECOVERY_MS = 60_000
/** Accepted tickets between two kills, so that a kill happens under full load; and how long to wait for them. */
const ticketsBetween = 25
const LOADING_MS = 3_000
/** Limit from the last recovery until every ticket must have a definite state. */
const DECIDED_MS = 30_000

/** Time until the application serves again: the first acknowledged ticket sent after a kill. */
class Recovery {
  readonly times: number[] = []
  private killedAtMs = 0
  private countsFromMs = 0
  /** Tickets acknowledged since the kill. */
  private acceptedCount = 0

  /** @param blindMs how long after the kill a reply may still be from before it */
  begin(blindMs: number): void {
    this.killedAtMs = performance.now()
    this.countsFromMs = this.killedAtMs + blindMs
    this.acceptedCount = 0
  }

  record(sentAtMs: number): void {
    if (sentAtMs < this.countsFromMs) return
    this.acceptedCount += 1
    if (this.acceptedCount === 1 && this.killedAtMs > 0) this.times.push(performance.now() - this.killedAtMs)
  }

  /**
   * Waits until the application serves again, and is under load.
   * @throws Error if it does not restart
   */
  async wait(): Promise<void> {
    await this.waitFor(1, RECOVERY_MS)
    if (this.acceptedCount === 0) throw new Error(`no ticket was taken for ${RECOVERY_MS / 1000} s after a kill`)
    await this.waitFor(ticketsBetween, LOADING_MS)
  }

  private async waitFor(tickets: number, longestMs: number): Promise<void> {
    const deadline = performance.now() + longestMs
    while (this.acceptedCount < tickets && performance.now() < deadline) await pause(5)
  }
}

interface Kills {
  app: number
  postmaster: number
  backend: number
}

/** Kills at random moments under load, sometimes again before the application has recovered from the last kill. */
async function killAgainAndAgain(
  app: KillableApp,
  recovery: Recovery,
  count: number,
  report: BenchmarkContext['report'],
): Promise<Kills> {
  const kills: Kills = { app: 0, postmaster: 0, backend: 0 }
  const backends = Math.floor(count / 5)
  const plan = [
    ...Array<keyof Kills>(count).fill('app'),
    ...Array<keyof Kills>(count - backends).fill('postmaster'),
    ...Array<keyof Kills>(backends).fill('backend'),
  ]
  for (let index = plan.length - 1; index > 0; index -= 1) {
    const other = drawBelow(index + 1)
    ;[plan[index], plan[other]] = [plan[other]!, plan[index]!]
  }
  const startedAtMs = performance.now()
  for (const [index, target] of plan.entries()) {
    if (performance.now() - startedAtMs > KILLING_MS) break
    const isSecondStrike = index > 0 && Math.random() < 0.25
    if (!isSecondStrike) await recovery.wait()
    await pause(Math.random() * (isSecondStrike ? 1_500 : 400))
    let killed = target
    // A server takes a moment to notice that one of its processes has died.
    recovery.begin(target === 'backend' ? 50 : 0)
    if (target === 'app') await app.killApp()
    else if (target === 'postmaster') await app.killPostmaster()
    else killed = await app.killBackend()
    kills[killed] += 1
    if ((index + 1) % 10 === 0) report(`${index + 1} of ${plan.length} kills, ${recovery.times.length} recoveries …`)
  }
  await recovery.wait()
  return kills
}

interface Crashed {
  kills: Kills
  book: TicketBook
  recovery: Recovery
  clients: ReadonlyMap<string, Client>
}

async function betAndKill(
  app: KillableApp,
  proxy: FaultProxy,
  count: number,
  report: BenchmarkContext['report'],
): Promise<Crashed> {
  const office = new Client(app.url)
  await office.logIn('office01')
  const clients = new Map(members.map((username) => [username, new Client(proxy.url, placesPerMember)]))
  for (const [username, client] of clients) await client.logIn(username)
  const database = await openDataFolderDatabase(app.dataDir)
  const opened = await openMarkets(database.pool, office, clients.get(members[0]!)!)
  office.close()
  await database.pool.query(
    `update accounts set floor_satang = case when username = any ($1) then $2::bigint else $3::bigint end from users
     where kind = 'cash' and users.user_id = accounts.user_id and level = 'member'`,
    [members.slice(0, membersOfLittleCredit), -little_satang, -enough_satang],
  )
  await coverLimits(database.pool)
  await database.close()

  report('betting …')
  const book = new TicketBook()
  const recovery = new Recovery()
  const onPlaced = (sentAtMs: number): void => recovery.record(sentAtMs)
  const betting: Betting = { book, isOpen: true, isOver: false, onPlaced, makeTicket: () => makeTicket(opened) }
  proxy.isFaulty = true
  const all = [...clients].flatMap(([username, client]) =>
    Array.from({ length: placesPerMember }, () => keepBetting(client, username, betting)),
  )
  const ended = Promise.all(all)
  try {
    const kills = await Promise.race([
      killAgainAndAgain(app, recovery, count, report),
      // An error of a member is a bug of this benchmark.
      ended.then(() => Promise.reject(new Error('the members have stopped betting'))),
    ])
    betting.isOpen = false
    proxy.isFaulty = false
    report('bringing what is on its way to an end …')
    await Promise.race([ended, pause(DECIDED_MS, undefined, { ref: false })])
    return { kills, book, recovery, clients }
  } finally {
    betting.isOpen = false
    betting.isOver = true
    await ended
    await proxy.settle()
  }
}

async function measure(app: KillableApp, proxy: FaultProxy, context: BenchmarkContext): Promise<Measured> {
  const { report } = context
  const startedAtMs = performance.now()
  const count = context.readOption('kills', killsOfEach)
  const { kills, book, recovery, clients } = await betAndKill(app, proxy, count, report)
  const undecided = book.countUndecided()

  report(`asking for ${book.entries.size} tickets …`)
  // After a restart, the application's replies come from the database, not from memory.
  await app.restart()
  const database = await openDataFolderDatabase(app.dataDir)
  const { rows: written } = await database.pool.query<WrittenTicket>(
    'select order_id::int, request_id, username from orders join users using (user_id)',
  )
  await database.close()
  const invariants_broken = await countBrokenInvariants(app.dataDir, report)
  const verdict = await checkBook(book, written, clients, report)
  for (const client of clients.values()) client.close()

  const faults = Object.entries(proxy.counts).filter(([fault]) => fault !== 'pass')
  const figures = {
    ...verdict,
    invariants_broken,
    undecided,
    app_kills: kills.app,
    postgres_kills: kills.postmaster + kills.backend,
    postgres_backend_kills: kills.backend,
    app_ended_unasked_serving: app.endedUnasked.serving,
    app_ended_unasked_starting: app.endedUnasked.starting,
    acknowledged: book.count('placed'),
    changes_acknowledged: book.changes,
    unknown_outcomes: book.unknownOutcomes,
    refused: book.count('refused'),
    ...Object.fromEntries([...book.refusals].map(([code, times]) => [`refusal_${code}`, times])),
    proxy_faults: faults.reduce((sum, [, times]) => sum + times, 0),
    ...Object.fromEntries(faults.map(([fault, times]) => [`proxy_${fault}`, times])),
    proxy_passed: proxy.counts.pass,
    recoveries: recovery.times.length,
    recovery_p50_ms: rounded(percentile(recovery.times, 0.5)),
    recovery_p95_ms: rounded(percentile(recovery.times, 0.95)),
    recovery_max_ms: rounded(Math.max(...recovery.times)),
    duration_s: rounded((performance.now() - startedAtMs) / 1000),
  }
  const none = ['acknowledged_lost', 'duplicated', 'refused_but_placed', 'invariants_broken', 'undecided']
  const goals = [
    ...none.map((figure) => ({ figure, limit: 0, at: 'most' as const })),
    { figure: 'app_ended_unasked_serving', limit: 0, at: 'most' as const },
    { figure: 'app_kills', limit: count, at: 'least' as const },
    { figure: 'postgres_kills', limit: count, at: 'least' as const },
  ]
  return { figures, goals }
}

export const bench: Benchmark = {
  name: 'crash',
  description: 'kill -9 of app and PostgreSQL under betting over a connection that loses data; --kills=50 of each',
  async run(context) {
    context.report('starting the built product …')
    const app = await KillableApp.start({ CAPTCHA_TEST_ANSWER: captchaAnswer })
    let proxy: FaultProxy | undefined
    let measured: Measured | undefined
    try {
      proxy = await FaultProxy.start(app.port, patienceMs)
      measured = await measure(app, proxy, context)
      return measured
    } catch (error) {
      context.report(app.describe())
      throw error
    } finally {
      proxy?.close()
      // Report the first failure.
      await app.stop().catch((error: unknown) => {
        if (measured) throw error
        context.report(String(error))
      })
    }
  },
}
