// The risk board by number: a period's exposure, of the house or of an agent's downline.

import { type DataOf, type readBook as readBookRoute, seesHouse } from '@megalot/contract'
import { slotOf } from '@megalot/rules'
import type { Caller } from '../http/caller.ts'
import type { Db } from '../postgres/db.ts'
import { getPeriodRecord } from '../markets/index.ts'
import { listNumbers } from '../markets/quotas/index.ts'
import { type ExposureReader, makeHead, noColumns } from './book-reader.ts'

type Board = DataOf<typeof readBookRoute>

/**
 * The numbers of a period with bets. An agent's exposure has no patches: it is returned in full whenever it may have
 * changed.
 * @throws Refusal unknown_period
 */
export async function readBoard(
  db: Db,
  books: ExposureReader,
  caller: Caller,
  period_code: string,
  query: { since?: string | undefined },
): Promise<Board> {
  const period = await getPeriodRecord(db, period_code)
  const since = query.since === undefined ? -1 : Number(query.since)
  const book = await books.read(caller, period, since)
  const { totals, columns } = book
  const isPatch = since >= totals.first_version && (seesHouse(caller) || since === totals.version)
  const isUnchanged = since === totals.version
  const { slots, ...amounts } = isUnchanged ? noColumns : columns
  const quotas = seesHouse(caller) && slots.length > 0 ? await readQuotasUsed(db, period_code) : undefined
  return {
    ...(await makeHead(db, period, book)),
    is_whole: !isPatch,
    slots,
    line_counts: amounts.line_counts,
    stakes_satang: amounts.stakes,
    payouts_satang: amounts.payouts,
    own_stakes_satang: amounts.own_stakes,
    own_payouts_satang: amounts.own_payouts,
    quotas_used: slots.map((slot) => quotas?.get(slot) ?? -1),
  }
}

/** Used part of each quota by slot, in hundredths of a percent; -1 for no limit. */
async function readQuotasUsed(db: Db, period_code: string): Promise<Map<number, number>> {
  const numbers = await listNumbers(db, period_code)
  return new Map(
    numbers.map(({ bet_type, number, accepted_satang, full_satang, half_satang }) => {
      const most = full_satang === null ? 0 : full_satang + half_satang
      const used = full_satang === null ? -1 : most === 0 ? 10_000 : Math.floor((accepted_satang / most) * 10_000)
      return [slotOf(bet_type, number), used]
    }),
  )
}
