// The risk board by number: the book of a period, of the house or of an agent's line.

import { type BookSort, type DataOf, type readBook as readBookRoute, seesHouse } from '@megalot/contract'
import { betOfSlot, type BetTypeCode, slotOf } from '@megalot/rules'
import type { Caller } from '../../platform/caller.ts'
import type { Db } from '../../platform/db.ts'
import { getPeriodRecord } from '../markets/index.ts'
import { listNumbers } from '../quotas/index.ts'
import { type BookReader, makeHead } from './book-reader.ts'
import type { BookColumns } from './board.store.ts'

type Board = DataOf<typeof readBookRoute>

export interface BoardQuery {
  bet_type?: BetTypeCode | undefined
  sort?: BookSort | undefined
  top?: string | undefined
  since?: string | undefined
}

/**
 * The numbers of a period with lines. An agent's book has no patches: it is there as a whole whenever it may have changed.
 * @throws Refusal unknown_period
 */
export async function readBoard(
  db: Db,
  books: BookReader,
  caller: Caller,
  period_code: string,
  query: BoardQuery,
): Promise<Board> {
  const period = await getPeriodRecord(db, period_code)
  const since = query.since === undefined ? -1 : Number(query.since)
  const book = await books.read(caller, period, since)
  const { totals, columns } = book
  const isPatch = since >= totals.first_version && (seesHouse(caller) || since === totals.version)
  const isUnchanged = since === totals.version
  const requested = isUnchanged ? [] : selectRows(columns, query)
  const quotas = seesHouse(caller) && requested.length > 0 ? await readQuotas(db, period_code) : undefined
  const pick = <Value>(values: readonly Value[]): Value[] => requested.map((index) => values[index]!)
  const slots = pick(columns.slots)
  return {
    ...(await makeHead(db, period, book)),
    is_whole: !isPatch,
    slots,
    line_counts: pick(columns.line_counts),
    stakes_satang: pick(columns.stakes),
    payouts_satang: pick(columns.payouts),
    own_stakes_satang: pick(columns.own_stakes),
    own_payouts_satang: pick(columns.own_payouts),
    quotas_used: slots.map((slot) => quotas?.get(slot)?.used ?? -1),
    states: slots.map((slot) => quotas?.get(slot)?.state ?? null),
  }
}

/** The places of the rows that are requested, in the order that is requested. */
function selectRows({ slots, stakes, payouts }: BookColumns, { bet_type, sort, top }: BoardQuery): number[] {
  const all = Array.from(slots.keys())
  const places = bet_type === undefined ? all : all.filter((index) => betOfSlot(slots[index]!)!.bet_type === bet_type)
  const by = sort === 'stake' ? stakes : sort === 'payout' ? payouts : undefined
  const sorted = by ? places.toSorted((one, other) => by[other]! - by[one]! || one - other) : places
  return top === undefined ? sorted : sorted.slice(0, Number(top))
}

interface QuotaShare {
  /** In hundredths of a percent; -1: no limit. */
  used: number
  state: Board['states'][number]
}

async function readQuotas(db: Db, period_code: string): Promise<Map<number, QuotaShare>> {
  const numbers = await listNumbers(db, period_code)
  return new Map(
    numbers.map(({ bet_type, number, accepted_satang, full_satang, half_satang, state }) => {
      const most = full_satang === null ? 0 : full_satang + half_satang
      const used = full_satang === null ? -1 : most === 0 ? 10_000 : Math.floor((accepted_satang / most) * 10_000)
      return [slotOf(bet_type, number), { used, state }]
    }),
  )
}
