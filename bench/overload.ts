// Whether one expensive caller slows down others: the time of a bet and a list beside each attacker, compared with
// quiet windows before and after it, in the same run.

import { listOrders, placeOrder } from '@megalot/contract'
import type { Benchmark, BenchmarkContext, Measured } from './benchmark.ts'
import { addBettors, findDatabase, openAppDatabase } from './app/app-database.ts'
import { callSteadily } from './app/call-steadily.ts'
import { runInOwnProcess } from './app/own-process.ts'
import { withApp } from './app/with-app.ts'
import { Client, findOpenMarket, type OpenMarket } from './client.ts'
import { type Attack, attackNames, HALF_PAID, makeLargeTicket, paidAttacks } from './overload/attacks.ts'
import { percentile, rounded } from './percentile.ts'
import { makeTicket } from './tickets/ticket.ts'

const BETTORS = 50
const TICKETS_PER_S = 40
const LISTS_PER_S = 10
/** The attacker's own tickets per second. */
const OWN_TICKETS_PER_S = 50
const WARM_UP_S = 3
const WINDOW_S = 8
/** Windows per attacker, because the slowest 5 % of one window are only sixteen bets. */
const ROUNDS = 2
/** Tickets of the member who exports and reads reports, to make the reports long. */
const OWN_TICKETS = 2_000

interface Times {
  bets: number[]
  lists: number[]
}

/** Members who bet and read their lists at a steady rate. */
async function measureMembers(clients: readonly Client[], market: OpenMarket, seconds: number): Promise<Times> {
  const times: Times = { bets: [], lists: [] }
  const clientOf = (index: number): Client => clients[index % clients.length]!
  await Promise.all([
    callSteadily(TICKETS_PER_S, seconds, async (index) => {
      times.bets.push((await clientOf(index).call(placeOrder, placeOrder.path, makeTicket(market, index))).ms)
    }),
    callSteadily(LISTS_PER_S, seconds, async (index) => {
      times.lists.push((await clientOf(index + 7).call(listOrders, listOrders.path)).ms)
    }),
  ])
  return times
}

async function measure(url: string, dataDir: string, { report }: BenchmarkContext): Promise<Measured> {
  const database = await openAppDatabase(findDatabase(dataDir))
  const clients: Client[] = []
  try {
    for (const { sessionToken } of await addBettors(database, BETTORS + 2)) {
      const client = new Client(url)
      client.sessionToken = sessionToken
      clients.push(client)
    }
    const [attacker, payer, ...members] = clients as [Client, Client, ...Client[]]
    const market = await findOpenMarket(members[0]!)
    await database.query(
      `insert into number_settings (period_id, bet_type, quota_key, set_to)
      select period_id, $2, $3, 'half' from periods where period_code = $1
      on conflict (period_id, bet_type, quota_key) do update set set_to = 'half', full_satang = null, half_satang = null`,
      [market.period_code, HALF_PAID.bet_type, HALF_PAID.number],
    )
    report(`${OWN_TICKETS} tickets of the attacker …`)
    await callSteadily(OWN_TICKETS_PER_S, OWN_TICKETS / OWN_TICKETS_PER_S, async (index) => {
      await attacker.call(placeOrder, placeOrder.path, makeTicket(market, index))
    })
    const large = await attacker.call(placeOrder, placeOrder.path, makeLargeTicket(market, 'paid'))
    await measureMembers(members, market, WARM_UP_S)
    const quiet: Times = { bets: [], lists: [] }
    const measureQuiet = async (): Promise<void> => {
      const { bets, lists } = await measureMembers(members, market, WINDOW_S)
      quiet.bets.push(...bets)
      quiet.lists.push(...lists)
    }
    const attacked = Object.fromEntries(attackNames.map((name): [string, Times] => [name, { bets: [], lists: [] }]))
    await measureQuiet()
    for (let round = 1; round <= ROUNDS; round += 1)
      for (const name of attackNames) {
        const { sessionToken } = paidAttacks.includes(name) ? payer : attacker
        const attack: Attack = {
          name,
          url,
          sessionToken: sessionToken!,
          large_order_id: large.value.data.order_id,
          market,
          seconds: WINDOW_S,
        }
        const [{ bets, lists }, statuses] = await Promise.all([
          measureMembers(members, market, WINDOW_S),
          runInOwnProcess<Record<string, number>>(new URL('overload/attack.ts', import.meta.url), attack),
        ])
        attacked[name]!.bets.push(...bets)
        attacked[name]!.lists.push(...lists)
        report(
          `  ${round}. beside ${name}: bets ${rounded(percentile(bets, 0.95))} ms, lists ${rounded(percentile(lists, 0.95))} ms, answered ${JSON.stringify(statuses)}`,
        )
        await measureQuiet()
      }
    const p95Of = (of: keyof Times, { [of]: times }: Times): number => percentile(times, 0.95)
    const quiet_bet = p95Of('bets', quiet)
    const quiet_list = p95Of('lists', quiet)
    const worst = (of: keyof Times) => Math.max(...Object.values(attacked).map((times) => p95Of(of, times)))
    const figures: Record<string, number> = {
      quiet_bet_p95_ms: rounded(quiet_bet),
      quiet_list_p95_ms: rounded(quiet_list),
      bet_p95_ratio: rounded(worst('bets') / quiet_bet),
      list_p95_ratio: rounded(worst('lists') / quiet_list),
    }
    for (const [name, times] of Object.entries(attacked)) {
      figures[`${name}_bet_p95_ratio`] = rounded(p95Of('bets', times) / quiet_bet)
      figures[`${name}_list_p95_ms`] = rounded(p95Of('lists', times))
    }
    return {
      figures,
      goals: [
        { figure: 'bet_p95_ratio', limit: 3, at: 'most' },
        { figure: 'list_p95_ratio', limit: 3, at: 'most' },
      ],
    }
  } finally {
    for (const client of clients) client.close()
    await database.end()
  }
}

/** As in production. */
const limits = {
  CALL_LIMITS_FACTOR: '1',
}

export const bench: Benchmark = {
  name: 'overload',
  description:
    'what a bet and a list take in quiet, and beside one who exports, reads reports, makes reads without a cost, searches, fetches files of the web, sends bad tickets, large tickets, many small ones or large bodies, changes its own limits, or takes tickets back',
  run: (context) => withApp(context, limits, (app) => measure(app.url, app.dataDir, context)),
}
