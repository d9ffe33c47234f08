import { SLOT_COUNT, worstPayout } from '@megalot/rules'
import { LRUCache } from 'lru-cache'
import type { Db } from '../postgres/db.ts'
import { readBottom3Set } from './board.store.ts'
import { listHouseNets, readSlotSums } from './seal.store.ts'

export interface WorstCase {
  /** The step that last changed the exposure. */
  version: number
  /** The house's result; negative for a loss. */
  worst_case_satang: number
}

/** The worst cases of many periods, recomputed only if the exposure has changed. */
export interface WorstCases {
  /** For the periods with bets. */
  read(period_ids: readonly number[]): Promise<Map<number, WorstCase>>
}

export function createWorstCases(db: Db): WorstCases {
  const known = new LRUCache<number, WorstCase & { net_satang: number }>({ max: 5_000 })
  return {
    async read(period_ids) {
      const cases = new Map<number, WorstCase>()
      for (const { period_id, version, net_satang } of await listHouseNets(db, period_ids)) {
        let found = known.get(period_id)
        if (found?.version !== version || found.net_satang !== net_satang) {
          const payout_satang = await readWorstPayout(db, period_id)
          found = { version, net_satang, worst_case_satang: net_satang - payout_satang }
          known.set(period_id, found)
        }
        cases.set(period_id, found)
      }
      return cases
    },
  }
}

async function readWorstPayout(db: Db, period_id: number): Promise<number> {
  const { slots, payouts } = await readSlotSums(db, period_id)
  const bySlot = new Float64Array(SLOT_COUNT)
  for (const [index, slot] of slots.entries()) bySlot[slot] = payouts[index]!
  return worstPayout(bySlot, await readBottom3Set(db, period_id))
}
