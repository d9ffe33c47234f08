// Whether members can bet, and honest people get in, during floods of log-ins: the time that a ticket takes during each flood, compared with
// the quiet windows around it in the same run, and how many right log-ins from unknown browsers succeed.

import { solveChallenge } from 'altcha-lib'
import { getCaptcha, getCaptchaProof, logIn, placeOrder } from '@megalot/contract'
import { randomUUID } from 'node:crypto'
import type { Benchmark, BenchmarkContext, Measured } from './benchmark.ts'
import { captchaAnswer, Client, findOpenMarket, type OpenMarket } from './client.ts'
import { addBettors, findDatabase, openAppDatabase } from './app/app-database.ts'
import { percentile, rounded } from './percentile.ts'
import { callSteadily } from './app/call-steadily.ts'
import { withApp } from './app/with-app.ts'
import { makeTicket } from './tickets/ticket.ts'

const BETTORS = 50
const TICKETS_PER_S = 40
const WARM_UP_S = 3
const QUIET_S = 10
const FLOOD_S = 30
const PATIENCE_MS = 20_000

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

/** A flood: how many wrong log-ins a second come from how many addresses, each of another subnet. */
const floods = {
  '60_spread': { perSecond: 30, addresses: 60, burst: 1 },
  '200_spread': { perSecond: 100, addresses: 200, burst: 1 },
  bursts: { perSecond: 50, addresses: 200, burst: 100 },
} as const
type Flood = (typeof floods)[keyof typeof floods]

const addressOf = (index: number): string => `10.${Math.floor(index / 250)}.${index % 250}.9`

/** One call from an address, as a proxy in front reports it. */
async function callFrom(url: string, address: string, path: string, body?: object) {
  const headers = { 'x-forwarded-for': address, ...(body ? { 'content-type': 'application/json' } : {}) }
  const init = body ? { method: 'POST', body: JSON.stringify(body) } : {}
  const reply = await fetch(url + path, { ...init, headers, signal: AbortSignal.timeout(PATIENCE_MS) })
  const isJson = reply.headers.get('content-type')?.startsWith('application/json')
  return { http: reply.status, json: (isJson ? await reply.json() : await reply.arrayBuffer()) as Answer }
}

interface Answer {
  data?: { challenge: string; salt: string; algorithm: string; maxnumber: number; signature: string }
  error?: { code: string; details: { proof_level?: number } }
}

/** A log-in with a captcha as a picture; undefined where no reply came. */
async function tryLogIn(url: string, address: string, username: string, password: string, proof_level?: number) {
  const request_id = randomUUID()
  let answer: object = { captcha_txt: captchaAnswer }
  if (proof_level === undefined) await callFrom(url, address, `${getCaptcha.path}?request_id=${request_id}`)
  else {
    const { json } = await callFrom(
      url,
      address,
      `${getCaptchaProof.path}?request_id=${request_id}&level=${proof_level}`,
    )
    const { challenge, salt, algorithm, maxnumber, signature } = json.data!
    const solution = await solveChallenge(challenge, salt, algorithm, maxnumber).promise
    answer = {
      captcha_proof: btoa(JSON.stringify({ algorithm, challenge, number: solution!.number, salt, signature })),
    }
  }
  return callFrom(url, address, logIn.path, { username, password, request_id, ...answer })
}

/** Wrong log-ins with right captchas: every other one on an existing name. */
async function flood(url: string, { perSecond, addresses, burst }: Flood, seconds: number): Promise<Answers> {
  const answers: Answers = {}
  const once = async (index: number): Promise<void> => {
    const username = index % 2 === 0 ? `bettor${(index % BETTORS) + 1}` : `nobody${index}`
    const name = await tryLogIn(url, addressOf(index % addresses), username, `wrong${index}`).then(
      ({ json }) => json.error?.code ?? 'ok',
      () => 'unknown',
    )
    answers[name] = (answers[name] ?? 0) + 1
  }
  await callSteadily(perSecond / burst, seconds, async (index) => {
    await Promise.all(Array.from({ length: burst }, (_, each) => once(index * burst + each)))
  })
  return answers
}

/** Members who log in on unknown browsers, one a second, each as its screen does: with a proof where one is asked for. */
async function comeNew(url: string, seconds: number): Promise<{ letIn: number; tried: number; waits: number[] }> {
  const waits: number[] = []
  let tried = 0
  await callSteadily(1, seconds - 5, async (index) => {
    tried += 1
    const startedAtMs = performance.now()
    const username = `member${String((index % 24) + 1).padStart(2, '0')}`
    let proof_level: number | undefined
    for (let attempt = 0; attempt < 4; attempt += 1) {
      const reply = await tryLogIn(url, `192.0.${index % 250}.7`, username, 'demo1234', proof_level).catch(
        () => undefined,
      )
      if (reply?.http === 200) {
        waits.push(performance.now() - startedAtMs)
        return
      }
      proof_level = reply?.json.error?.details.proof_level ?? proof_level
    }
  })
  return { letIn: waits.length, tried, waits }
}

async function measure(url: string, dataDir: string, { report }: BenchmarkContext): Promise<Measured> {
  const database = await openAppDatabase(findDatabase(dataDir))
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
    const quiet: number[] = []
    const during: number[] = []
    const figures: Record<string, number> = {}
    const waits: number[] = []
    let worst_ratio = 0
    let least_let_in = 1
    let unanswered = 0
    for (const [name, each] of Object.entries(floods)) {
      const before = await measureTickets(clients, market, QUIET_S)
      const [times, answers, news] = await Promise.all([
        measureTickets(clients, market, FLOOD_S),
        flood(url, each, FLOOD_S),
        comeNew(url, FLOOD_S),
      ])
      quiet.push(...before)
      during.push(...times)
      waits.push(...news.waits)
      const ratio = percentile(times, 0.95) / percentile(before, 0.95)
      const let_in = news.letIn / news.tried
      report(
        `  ${name}: p95 × ${rounded(ratio)}, ${news.letIn} of ${news.tried} let in, answered ${JSON.stringify(answers)}`,
      )
      figures[`${name}_p95_ratio`] = rounded(ratio)
      figures[`${name}_let_in_ratio`] = rounded(let_in)
      worst_ratio = Math.max(worst_ratio, ratio)
      least_let_in = Math.min(least_let_in, let_in)
      unanswered += answers.unknown ?? 0
    }
    return {
      figures: {
        ...figures,
        quiet_p95_ms: rounded(percentile(quiet, 0.95)),
        flood_p95_ms: rounded(percentile(during, 0.95)),
        p95_ratio: rounded(worst_ratio),
        new_browser_let_in_ratio: rounded(least_let_in),
        new_browser_wait_p50_ms: rounded(percentile(waits, 0.5)),
        new_browser_wait_p95_ms: rounded(percentile(waits, 0.95)),
        log_ins_unanswered: unanswered,
      },
      goals: [
        { figure: 'p95_ratio', limit: 2, at: 'most' },
        { figure: 'new_browser_let_in_ratio', limit: 0.9, at: 'least' },
        { figure: 'log_ins_unanswered', limit: 0, at: 'most' },
      ],
    }
  } finally {
    for (const client of clients) client.close()
    await database.end()
  }
}

export const bench: Benchmark = {
  name: 'flood',
  description: 'what a ticket takes during floods of wrong log-ins, beside quiet, and whether honest newcomers get in',
  run: (context) =>
    withApp(context, { LOG_INS_PER_MINUTE: '1000000', TRUST_PROXY: '1' }, (app) =>
      measure(app.url, app.dataDir, context),
    ),
}
