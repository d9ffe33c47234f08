// How long a member waits for the two calls that matter most, beside the plainest call the same server can answer.

import { placeOrder } from '@megalot/contract'
import { randomUUID } from 'node:crypto'
import type { Benchmark, BenchmarkContext, Measured } from './benchmark.ts'
import { Client, findOpenMarket, type OpenMarket } from './client.ts'
import { percentile, rounded } from './percentile.ts'
import { withProduct } from './product.ts'

const warmUps = 20
const samples = 300
const logIns = 40
const linesPerTicket = 10

async function repeat(count: number, once: (index: number) => Promise<number>): Promise<number[]> {
  const times: number[] = []
  for (let index = -warmUps; index < count; index += 1) {
    const ms = await once(index)
    if (index >= 0) times.push(ms)
  }
  return times
}

/** A ticket of ten different two-digit numbers at the least stake, another one each time. */
function makeTicket({ period_code, config }: OpenMarket, index: number): object {
  const terms = config.bet_types.find(({ bet_type }) => bet_type === '2top')
  if (!terms) throw new Error('the market does not offer 2top')
  const items = Array.from({ length: linesPerTicket }, (_, line) => ({
    bet_type: terms.bet_type,
    number: String((((index + warmUps) % 10) + line * 10) % 100).padStart(2, '0'),
    bet_satang: terms.min_satang,
    rate: terms.rate,
  }))
  return { request_id: randomUUID(), period_code, package_code: config.package_code, items }
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
      return (await client.call(placeOrder, placeOrder.path, makeTicket(market, index))).ms
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
  run: (context) => withProduct(context, { LOG_INS_PER_MINUTE: '100000' }, (product) => measure(product.url, context)),
}
