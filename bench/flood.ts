// Whether members can bet during a flood of log-ins: the time a ticket takes during a hundred wrong log-ins a second,
// compared with the time without them, in the same run.

import { getCaptcha, logIn, placeOrder } from '@megalot/contract'
import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { Benchmark, BenchmarkContext, Measured } from './benchmark.ts'
import { captchaAnswer, Client, findOpenMarket, type OpenMarket } from './client.ts'
import { addBettors, findDatabase, openAppDatabase } from './app/app-database.ts'
import { percentile, rounded } from './percentile.ts'
import { withApp } from './app/with-app.ts'
import { makeTicket } from './tickets/ticket.ts'

const BETTORS = 50
const TICKETS_PER_S = 40
const LOG_INS_PER_S = 100
const WARM_UP_S = 3
const QUIET_S = 15
const FLOOD_S = 30
const PATIENCE_MS = 20_000

/** Calls a function at a steady rate for a time, without waiting for earlier calls. */
async function callSteadily(perSecond: number, seconds: number, once: (index: number) => Promise<void>): Promise<void> {
  const startedAtMs = performance.now()
  const running: Promise<void>[] = []
  for (let index = 0; index < perSecond * seconds; index += 1) {
    const dueInMs = startedAtMs + (index * 1_000) / perSecond - performance.now()
    if (dueInMs > 0) await pause(dueInMs)
    running.push(once(index))
  }
  await Promise.all(running)
}

/** Places tickets at a steady rate. @returns how long each took, in ms */
async function measureTickets(clients: readonly Client[], market: OpenMarket, seconds: number): Promise<number[]> {
  const times: number[] = []
  await callSteadily(TICKETS_PER_S, seconds, async (index) => {
    const client = clients[index % clients.length]!
    times.push((await client.call(placeOrder, placeOrder.path, makeTicket(market, index))).ms)
  })
  return times
}

type Answers = Record<string, number>

/** Wrong log-ins with right captchas: every other one on an existing name, each on another name. */
async function flood(attacker: Client, seconds: number): Promise<Answers> {
  const answers: Answers = {}
  await callSteadily(LOG_INS_PER_S, seconds, async (index) => {
    const request_id = randomUUID()
    await attacker.fetchTimed('GET', `${getCaptcha.path}?request_id=${request_id}`)
    const username = index % 2 === 0 ? `bettor${(index % BETTORS) + 1}` : `nobody${index}`
    const body = { username, password: `wrong${index}`, request_id, captcha_txt: captchaAnswer }
    const attempt = await attacker.attempt(logIn, logIn.path, body, PATIENCE_MS)
    const name = attempt.kind === 'refused' ? attempt.code : attempt.kind
    answers[name] = (answers[name] ?? 0) + 1
  })
  return answers
}

async function measure(url: string, dataDir: string, { report }: BenchmarkContext): Promise<Measured> {
  const database = await openAppDatabase(findDatabase(dataDir))
  const attacker = new Client(url, 64)
  const clients: Client[] = []
  try {
    for (const { sessionToken } of await addBettors(database, BETTORS)) {
      const client = new Client(url)
      client.sessionToken = sessionToken
      clients.push(client)
    }
    const market = await findOpenMarket(clients[0]!)
    report('warming up …')
    await measureTickets(clients, market, WARM_UP_S)
    report(`${QUIET_S} s of quiet …`)
    const quiet = await measureTickets(clients, market, QUIET_S)
    report(`${FLOOD_S} s of ${LOG_INS_PER_S} wrong log-ins a second …`)
    const [during, answers] = await Promise.all([measureTickets(clients, market, FLOOD_S), flood(attacker, FLOOD_S)])
    report(`  answered: ${JSON.stringify(answers)}`)
    const quiet_p95_ms = percentile(quiet, 0.95)
    const flood_p95_ms = percentile(during, 0.95)
    const figures = {
      quiet_p50_ms: rounded(percentile(quiet, 0.5)),
      quiet_p95_ms: rounded(quiet_p95_ms),
      flood_p50_ms: rounded(percentile(during, 0.5)),
      flood_p95_ms: rounded(flood_p95_ms),
      p95_ratio: rounded(flood_p95_ms / quiet_p95_ms),
      log_ins_checked: answers.wrong_login ?? 0,
      log_ins_turned_away: (answers.too_many_requests ?? 0) + (answers.log_in_paused ?? 0),
      log_ins_unanswered: answers.unknown ?? 0,
    }
    return {
      figures,
      goals: [
        { figure: 'p95_ratio', limit: 2, at: 'most' },
        { figure: 'log_ins_unanswered', limit: 0, at: 'most' },
      ],
    }
  } finally {
    for (const client of [...clients, attacker]) client.close()
    await database.end()
  }
}

export const bench: Benchmark = {
  name: 'flood',
  description: 'what a ticket takes during a hundred wrong log-ins a second, beside what it takes in quiet',
  run: (context) =>
    // The limit per address would refuse all of them at once: a real flood comes from many addresses.
    withApp(context, { LOG_INS_PER_MINUTE: '1000000' }, (app) => measure(app.url, app.dataDir, context)),
}
