// An expensive caller: up to a hundred calls per second, or a thousand reads, without waiting for replies. Only
// `cancels` waits, because each cancel needs the id of its ticket. Runs in its own process.

import { randomUUID } from 'node:crypto'
import {
  cancelOrder,
  type Envelope,
  exportTransactions,
  getOrder,
  listAwardsFrom,
  listLimitNumbers,
  listOrders,
  listPeriods,
  listPeriodWinLoss,
  listProductPeriod,
  placeOrder,
  setPlayLimit,
  toOrderSummary,
} from '@megalot/contract'
import { readdirSync, statSync } from 'node:fs'
import { callSteadily } from '../app/call-steadily.ts'
import { answerParent } from '../app/own-process.ts'
import { makeTicket } from '../tickets/ticket.ts'
import type { OpenMarket } from '../client.ts'
import { type Attack, makeLargeTicket } from './attacks.ts'

const ATTACKS_PER_S = 100
const READS_PER_S = 1_000
const BAD_LINES = 2_000
const BODY_BYTES = 400_000

interface Call {
  path: string
  init: RequestInit
  read?: (reply: string) => void
}

/** Path of the largest script of the built web. */
function findLargestScript(): string {
  const assets = new URL('../../web/dist/assets/', import.meta.url)
  const scripts = readdirSync(assets).filter((file) => file.endsWith('.js'))
  const sizeOf = (file: string): number => statSync(new URL(file, assets)).size
  return `/assets/${scripts.toSorted((a, b) => sizeOf(b) - sizeOf(a))[0]}`
}

/** Builds calls of each kind. */
function makeCalls({ sessionToken, market, large_order_id }: Attack): Record<Attack['name'], () => Call | undefined> {
  const headers = { 'content-type': 'application/json' }
  const own = { ...headers, authorization: `Bearer ${sessionToken}` }
  const ticket = makeTicket(market, 0) as { request_id: string; items: object[] }
  const items = Array.from({ length: BAD_LINES }, () => ({ ...ticket.items[0], bet_satang: -1 }))
  const bad = JSON.stringify({ ...ticket, items })
  const farPage = `${listPeriods.path}?product_code=yeekee&ipp=100&page=19`
  let reads = 0
  let changes = 0
  const makeStricterLimit = () => ({
    kind: 'stake',
    span: 'month',
    amount_satang: 1_000_000_000_000 - 100 * (changes += 1),
  })
  const script = findLargestScript()
  const large = JSON.stringify({ username: 'x'.repeat(BODY_BYTES) })
  return {
    exports: () => ({ path: exportTransactions.path, init: { headers: own } }),
    // Reads every item of the attacker.
    reports: () => ({ path: `${listPeriodWinLoss.path}?filter=win_only`, init: { headers: own } }),
    // The most expensive free reads, in turn.
    reads: () => ({ path: (reads += 1) % 2 === 0 ? listProductPeriod.path : farPage, init: { headers: own } }),
    // Searches tickets of all periods, whose items have no index.
    searches: () => ({ path: `${listOrders.path}?search=987`, init: { headers: own } }),
    results: () => ({ path: listAwardsFrom.path.replace(':date_from', '2020-01-01'), init: { headers: own } }),
    look_ups: () => ({ path: getOrder.path.replace(':order_id', String(large_order_id)), init: { headers: own } }),
    number_states: () => ({
      path: listLimitNumbers.path.replace(':period_code', market.period_code),
      init: { headers: own },
    }),
    changes: () => ({
      path: setPlayLimit.path,
      init: { method: 'POST', headers: own, body: JSON.stringify(makeStricterLimit()) },
    }),
    bad_tickets: () => ({
      path: placeOrder.path,
      init: { method: 'POST', headers: own, body: bad.replace(ticket.request_id, randomUUID()) },
    }),
    large_tickets: () => ({
      path: placeOrder.path,
      init: { method: 'POST', headers: own, body: JSON.stringify(makeLargeTicket(market, 'paid')) },
    }),
    // The smallest accepted bets, without confirmation.
    small_tickets: () => ({
      path: placeOrder.path,
      init: { method: 'POST', headers: own, body: JSON.stringify(makeSmallTicket(market)) },
    }),
    cancels: makeCancels(own, market),
    bodies: () => ({ path: '/megalot/auth/login', init: { method: 'POST', headers, body: large } }),
    ready: () => ({ path: '/ready', init: {} }),
    // An encoding that the build did not precompute.
    files: () => ({ path: script, init: { headers: { 'accept-encoding': 'x-gzip' } } }),
  }
}

/** A ticket of one item at the least stake. */
function makeSmallTicket(market: OpenMarket): object {
  const ticket = makeTicket(market, 0) as { items: object[] }
  return { ...ticket, items: ticket.items.slice(0, 1) }
}

/**
 * Large waiting tickets, one after another, each cancelled as soon as it is placed. Undefined while the last call is in
 * flight.
 */
function makeCancels(headers: Record<string, string>, market: Attack['market']): () => Call | undefined {
  let next: Call | undefined
  const init = (body: object): RequestInit => ({ method: 'POST', headers, body: JSON.stringify(body) })
  const read = (reply: string): void => {
    const { data } = JSON.parse(reply) as Partial<Envelope<typeof placeOrder>>
    if (data?.status !== 'WAIT_CONFIRM') {
      next = place()
      return
    }
    next = {
      path: cancelOrder.path.replace(':order_id', String(data.order_id)),
      init: init(toOrderSummary(data)),
      read,
    }
  }
  const place = (): Call => ({ path: placeOrder.path, init: init(makeLargeTicket(market, 'waiting')), read })
  next = place()
  return () => {
    const call = next
    next = undefined
    return call
  }
}

answerParent(async (attack: Attack) => {
  const makeNext = makeCalls(attack)[attack.name]
  const statuses: Record<string, number> = {}
  await callSteadily(attack.name === 'reads' ? READS_PER_S : ATTACKS_PER_S, attack.seconds, async () => {
    const call = makeNext()
    if (!call) return
    const { path, init, read } = call
    const status = await fetch(attack.url + path, init).then(
      async (reply) => {
        const text = await reply.text()
        read?.(text)
        return String(reply.status)
      },
      () => 'none',
    )
    statuses[status] = (statuses[status] ?? 0) + 1
  })
  return statuses
})
