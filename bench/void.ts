// How long it takes to refund every ticket of a voided period.

import { randomUUID } from 'node:crypto'
import { approveProposal, proposeApproval } from '@megalot/contract'
import type { Benchmark, BenchmarkContext, Measured } from './benchmark.ts'
import { Client } from './client.ts'
import { rounded } from './percentile.ts'
import { addBettors, findDatabase, openAppDatabase } from './app/app-database.ts'
import { withApp } from './app/with-app.ts'
import { awaitRefunds, planVoidPeriod } from './seeding/void-period.ts'
import { seedTickets } from './seeding/write-tickets.ts'

const TICKETS = 100_000
const MEMBERS = 2_000

async function measure(url: string, dataDir: string, context: BenchmarkContext): Promise<Measured> {
  const { report } = context
  const tickets = context.readOption('tickets', TICKETS)
  const database = await openAppDatabase(findDatabase(dataDir))
  const office = [new Client(url), new Client(url)] as const
  try {
    report(`${MEMBERS} members, ${tickets} tickets …`)
    await addBettors(database, MEMBERS)
    const period = await seedTickets(database, () => planVoidPeriod(database, tickets))
    for (const [at, client] of office.entries()) await client.logIn(`office0${at + 1}`)
    const { period_code } = period
    const body = { kind: 'void_period', payload: { period_code }, request_id: randomUUID(), reason: 'benchmark' }
    const { value } = await office[0].call(proposeApproval, proposeApproval.path, body)
    await office[1].call(
      approveProposal,
      approveProposal.path.replace(':approval_id', String(value.data.approval_id)),
      {},
    )
    const { seconds, refunded } = await awaitRefunds(database, period)
    const void_100k_s = rounded((rounded(seconds) * TICKETS) / tickets)
    return evaluate({ void_100k_s, refunded })
  } finally {
    for (const client of office) client.close()
    await database.end()
  }
}

function evaluate(figures: Record<'void_100k_s' | 'refunded', number>): Measured {
  return {
    figures,
    goals: [{ figure: 'void_100k_s', limit: 60, at: 'most' }],
  }
}

export const bench: Benchmark = {
  name: 'void',
  description: 'refunding the 100,000 tickets of a voided period (--tickets=1000 for a short one)',
  run: (context) => withApp(context, {}, (app) => measure(app.url, app.dataDir, context)),
}
