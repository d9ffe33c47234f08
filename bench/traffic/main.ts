// `npm run demo:traffic`: simulated members of the demo, at a chosen rate, until Ctrl-C.

import { randomInt } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { Bettor } from './bettor.ts'
import { createBoard } from './board.ts'
import { createFigures, type Figures, lineOf } from './figures.ts'
import { help, MAX_MEMBERS, readOptions, type TrafficOptions } from './options.ts'

const SECOND_MS = 1_000
/** Maximum calls in flight, if the application is slower than the rate. */
const MAX_IN_FLIGHT = 300
/** How long to wait for calls in flight at the end. */
const DRAIN_MS = 5_000

const stopping = new AbortController()

/** Takes the last members first, because people try the first ones. */
function namesOf(count: number): string[] {
  return Array.from({ length: count }, (_, index) => `member${String(MAX_MEMBERS + 1 - index).padStart(2, '0')}`)
}

async function logInAll({ url, members }: TrafficOptions, figures: Figures): Promise<Bettor[]> {
  const captchaAnswer = process.env.CAPTCHA_TEST_ANSWER || undefined
  const scene = { url, captchaAnswer, board: createBoard(), figures }
  const bettors: Bettor[] = []
  for (const username of namesOf(members)) {
    if (stopping.signal.aborted) break
    bettors.push(
      await Bettor.logIn(username, scene).catch((error: NodeJS.ErrnoException) => {
        if (error.code === 'ECONNREFUSED') throw new Error(`Nothing answers at ${url}. Is the demo running?`)
        throw new Error(`${username} could not log in to ${url}: ${error.message}`)
      }),
    )
  }
  return bettors
}

/** Starts actions at the given rate, until it is stopped or no member is left. */
async function keepGoing(bettors: Bettor[], perSecond: number, inFlight: Set<Promise<void>>): Promise<void> {
  const startedAtMs = performance.now()
  let started = 0
  while (!stopping.signal.aborted && bettors.length > 0) {
    const due = Math.floor(((performance.now() - startedAtMs) / SECOND_MS) * perSecond)
    while (started < due) {
      started += 1
      if (inFlight.size >= MAX_IN_FLIGHT || bettors.length === 0) continue
      const bettor = bettors[randomInt(bettors.length)]!
      const action: Promise<void> = bettor.act().finally(() => {
        inFlight.delete(action)
        // Someone else has logged in with this account, so leave it to them.
        if (bettor.isGone && bettors.includes(bettor)) bettors.splice(bettors.indexOf(bettor), 1)
      })
      inFlight.add(action)
    }
    await pause(Math.min(50, SECOND_MS / perSecond), undefined, { signal: stopping.signal }).catch(() => {})
  }
}

async function run(options: TrafficOptions): Promise<void> {
  const figures = createFigures()
  const everybody = await logInAll(options, figures)
  const bettors = [...everybody]
  console.log(`${bettors.length} members have logged in to ${options.url}. Ctrl-C ends it.`)
  const report = setInterval(() => {
    const waiting = bettors.reduce((sum, bettor) => sum + bettor.waitingCount, 0)
    console.log(lineOf(figures.takeSecond(), waiting, bettors.length))
  }, SECOND_MS)
  const inFlight = new Set<Promise<void>>()
  await keepGoing(bettors, options.perSecond, inFlight)
  clearInterval(report)
  if (!stopping.signal.aborted) console.log('All members have logged in elsewhere.')
  await Promise.race([Promise.allSettled(inFlight), pause(DRAIN_MS)])
  await Promise.all(everybody.map((bettor) => bettor.logOff()))
  const { sent, accepted, refused, failed } = figures.total
  console.log(`${sent} calls: ${accepted} accepted, ${refused} refused, ${failed} failed. All have logged off.`)
}

// Ctrl-C reaches this process from the terminal, and again from the parent script.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => stopping.abort())

if (process.argv.includes('--help')) {
  console.log(help)
} else {
  await Promise.resolve()
    .then(() => run(readOptions(process.argv.slice(2), process.env)))
    .then(
      () => process.exit(0),
      (error: unknown) => {
        console.error(error instanceof Error ? error.message : error)
        process.exit(1)
      },
    )
}
