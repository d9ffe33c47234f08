// One who costs much: a hundred calls a second, whose replies nobody waits for. Runs in a process of its own.

import { randomUUID } from 'node:crypto'
import { readdirSync, statSync } from 'node:fs'
import { exportTransactions, listPeriods, listPeriodWinLoss, listProductPeriod, placeOrder } from '@megalot/contract'
import { callSteadily } from '../app/call-steadily.ts'
import { answerParent } from '../app/own-process.ts'
import { makeTicket } from '../tickets/ticket.ts'
import type { Attack } from './attacks.ts'

const ATTACKS_PER_S = 100
const BAD_LINES = 2_000
const BODY_BYTES = 400_000

type Call = () => { path: string; init: RequestInit }

/** The address of the largest script of the built web. */
function findLargestScript(): string {
  const assets = new URL('../../web/dist/assets/', import.meta.url)
  const scripts = readdirSync(assets).filter((file) => file.endsWith('.js'))
  const sizeOf = (file: string): number => statSync(new URL(file, assets)).size
  return `/assets/${scripts.toSorted((a, b) => sizeOf(b) - sizeOf(a))[0]}`
}

/** How a call of each kind is made. */
function makeCalls({ sessionToken, market }: Attack): Record<Attack['name'], Call> {
  const headers = { 'content-type': 'application/json' }
  const own = { ...headers, authorization: `Bearer ${sessionToken}` }
  const ticket = makeTicket(market, 0) as { request_id: string; items: object[] }
  const items = Array.from({ length: BAD_LINES }, () => ({ ...ticket.items[0], bet_satang: -1 }))
  const bad = JSON.stringify({ ...ticket, items })
  const farPage = `${listPeriods.path}?product_code=yeekee&ipp=100&page=19`
  let reads = 0
  const script = findLargestScript()
  const large = JSON.stringify({ username: 'x'.repeat(BODY_BYTES) })
  return {
    exports: () => ({ path: exportTransactions.path, init: { headers: own } }),
    // It reads every item of the attacker.
    reports: () => ({ path: `${listPeriodWinLoss.path}?filter=win_only`, init: { headers: own } }),
    // Reads without a cost, the dearest ones in turn.
    reads: () => ({ path: (reads += 1) % 2 === 0 ? listProductPeriod.path : farPage, init: { headers: own } }),
    bad_tickets: () => ({
      path: placeOrder.path,
      init: { method: 'POST', headers: own, body: bad.replace(ticket.request_id, randomUUID()) },
    }),
    bodies: () => ({ path: '/megalot/auth/login', init: { method: 'POST', headers, body: large } }),
    ready: () => ({ path: '/ready', init: {} }),
    // A coding in which the build has written nothing.
    files: () => ({ path: script, init: { headers: { 'accept-encoding': 'x-gzip' } } }),
  }
}

answerParent(async (attack: Attack) => {
  const makeNext = makeCalls(attack)[attack.name]
  const statuses: Record<string, number> = {}
  await callSteadily(ATTACKS_PER_S, attack.seconds, async () => {
    const { path, init } = makeNext()
    const status = await fetch(attack.url + path, init).then(
      async (reply) => {
        await reply.arrayBuffer()
        return String(reply.status)
      },
      () => 'none',
    )
    statuses[status] = (statuses[status] ?? 0) + 1
  })
  return statuses
})
