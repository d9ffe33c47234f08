// How long it takes to refund every ticket of a voided period.

import { setTimeout as pause } from 'node:timers/promises'
import { voidPeriod } from '@megalot/contract'
import type pg from 'pg'
import type { Benchmark, BenchmarkContext, Measured } from './benchmark.ts'
import { Client } from './client.ts'
import { rounded } from './percentile.ts'
import { countBrokenInvariants } from './app/broken-invariants.ts'
import { addBettors, findDatabase, openAppDatabase } from './app/app-database.ts'
import { withApp } from './app/with-app.ts'
import { type ClosedPeriod, planTickets, seedClosedPeriod, seedTickets } from './seeding/write-tickets.ts'

const TICKETS = 100_000
const MEMBERS = 2_000
const PATIENCE_MS = 300_000

/** A closed period full of tickets without a result. */
async function planPeriod(database: pg.Client, tickets: number): Promise<ClosedPeriod> {
  const period = await seedClosedPeriod(database, 'hanoi-vip', 1_000)
  await planTickets(database, period.period_id, tickets)
  return period
}

async function measure(url: string, dataDir: string, context: BenchmarkContext): Promise<Measured> {
  const { report } = context
  const tickets = context.readOption('tickets', TICKETS)
  const database = await openAppDatabase(findDatabase(dataDir))
  const office = [new Client(url), new Client(url)]
  try {
    report(`${MEMBERS} members, ${tickets} tickets …`)
    await addBettors(database, MEMBERS)
    const { period_id, period_code } = await seedTickets(database, () => planPeriod(database, tickets))
    for (const [at, client] of office.entries()) {
      await client.logIn(`office0${at + 1}`)
      await client.call(voidPeriod, voidPeriod.path.replace(':period_code', period_code), { reason: 'benchmark' })
    }
    const startedAtMs = performance.now()
    for (;;) {
      // By the database's own clock: from the approval to the last refund.
      const { rows } = await database.query<{ seconds: string; orders: number }>(
        `select extract(epoch from finished_at - approved_at) as seconds, refunded_orders as orders from period_voids
          where period_id = $1 and finished_at is not null`,
        [period_id],
      )
      if (rows[0]) {
        report('every invariant of money …')
        const broken_invariants = await countBrokenInvariants(dataDir, report)
        const void_s = rounded(Number(rows[0].seconds))
        return evaluate({
          void_100k_s: rounded((void_s * TICKETS) / tickets),
          refunded: rows[0].orders,
          broken_invariants,
        })
      }
      if (performance.now() - startedAtMs > PATIENCE_MS) throw new Error(`${period_code} was not refunded in time`)
      await pause(50)
    }
  } finally {
    for (const client of office) client.close()
    await database.end()
  }
}

function evaluate(figures: Record<'void_100k_s' | 'refunded' | 'broken_invariants', number>): Measured {
  return {
    figures,
    goals: [
      { figure: 'void_100k_s', limit: 60, at: 'most' },
      { figure: 'broken_invariants', limit: 0, at: 'most' },
    ],
  }
}

export const bench: Benchmark = {
  name: 'void',
  description: 'refunding the 100,000 tickets of a voided period (--tickets=1000 for a short one)',
  run: (context) => withApp(context, {}, (app) => measure(app.url, app.dataDir, context)),
}
