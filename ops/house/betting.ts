// A member who bets on a house without pause, and sends each ticket until it is acknowledged.

import { getGameConfig, listProductPeriod, placeOrder } from '@megalot/contract'
import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { type House, Refused } from './house.ts'

/** Between two tickets, in ms. */
const REST_MS = 100
/** How long a ticket may take, whatever happens to the house, in ms. */
const PATIENCE_MS = 90_000

export interface Placed {
  order_id: number
  /** When it was acknowledged, in ms since 1970. */
  at: number
}

export interface Betting {
  /** Waits until a ticket is acknowledged that was sent from now on. */
  waitForAnother: () => Promise<void>
  /** @returns all acknowledged tickets */
  stop: () => Promise<Placed[]>
}

export function keepBetting(house: House, token: string, product_code: string, package_code: string): Betting {
  const placed: Placed[] = []
  let sent = 0
  let isOpen = true
  let failure: Error | undefined

  const run = async (): Promise<void> => {
    const { products } = await house.call(listProductPeriod, { token })
    const { period_code } = products.find((each) => each.product_code === product_code)!.current_period!
    const { bet_types } = await house.call(getGameConfig, { token, params: { product_code, package_code } })
    const { rate } = bet_types.find(({ bet_type }) => bet_type === '2top')!
    while (isOpen) {
      sent += 1
      const number = String(sent % 100).padStart(2, '0')
      const items = [{ bet_type: '2top' as const, number, bet_satang: 500, rate }]
      const body = { request_id: randomUUID(), period_code, package_code, items }
      const deadline = performance.now() + PATIENCE_MS
      for (;;) {
        try {
          const { order_id } = await house.call(placeOrder, { token, body })
          placed.push({ order_id, at: Date.now() })
          break
        } catch (error) {
          // The page sends it again too: the call may have been carried out.
          const isOutage = !(error instanceof Refused) || error.http >= 500
          // Its outcome stays unknown.
          if (isOutage && !isOpen) break
          if (!isOutage || performance.now() > deadline) throw error
          await pause(REST_MS)
        }
      }
      await pause(REST_MS)
    }
  }
  const ended = run().catch((error: Error) => (failure = error))

  return {
    waitForAnother: async () => {
      const last = sent
      while (placed.length <= last) {
        if (failure) throw failure
        await pause(20)
      }
    },
    stop: async () => {
      isOpen = false
      await ended
      if (failure) throw failure
      return placed
    },
  }
}
