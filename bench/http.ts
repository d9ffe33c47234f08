// How long the two most important calls take, compared with the plainest call of the same server.

import { placeOrder } from '@megalot/contract'
import type { Benchmark, BenchmarkContext, Measured } from './benchmark.ts'
import { Client, findOpenMarket } from './client.ts'
import { percentile, rounded } from './percentile.ts'
import { withApp } from './app/with-app.ts'
import { makeTicket } from './tickets/ticket.ts'

const warmUps = 20
const samples = 300
const logIns = 40

async function repeat(count: number, once: (index: number) => Promise<number>): Promise<number[]> {
  const times: number[] = []
  for (let index = -warmUps; index < count; index += 1) {
    const ms = await once(index)
    if (index >= 0) times.push(ms)
  }
  return times
}

async function measure(url: string, { report }: BenchmarkContext): Promise<Measured> {
  const client = new Client(url)
  try {
    report('plain round trips …')
    const live = await repeat(samples, async () => (await client.fetchTimed('GET', '/live')).ms)
    report('log-ins …')
    const logInTimes = await repeat(logIns, () => client.logIn('member01'))
    report('tickets …')
    const market = await findOpenMarket(client)
    const tickets = await repeat(samples, async (index) => {
      return (await client.call(placeOrder, placeOrder.path, makeTicket(market, index + warmUps))).ms
    })
    const figures = {
      live_p50_ms: rounded(percentile(live, 0.5)),
      live_p95_ms: rounded(percentile(live, 0.95)),
      login_p50_ms: rounded(percentile(logInTimes, 0.5)),
      login_p95_ms: rounded(percentile(logInTimes, 0.95)),
      place_ticket_p50_ms: rounded(percentile(tickets, 0.5)),
      place_ticket_p95_ms: rounded(percentile(tickets, 0.95)),
    }
    const goals = [
      { figure: 'login_p95_ms', limit: 500, at: 'most' as const },
      { figure: 'place_ticket_p95_ms', limit: 100, at: 'most' as const },
    ]
    return { figures, goals }
  } finally {
    client.close()
  }
}

export const bench: Benchmark = {
  name: 'http',
  description: 'log-in and a ticket of ten lines through HTTP, one member, beside a plain round trip',
  run: (context) => withApp(context, { LOG_INS_PER_MINUTE: '100000' }, (app) => measure(app.url, context)),
}
