// A user's statement: every entry with the balance after it.

import type { Transaction } from '@megalot/contract'
import type { Db } from '../postgres/db.ts'
import { refuseFarPage } from '../http/page.ts'
import { Refusal } from '../lib/refusal.ts'
import { getProduct } from '../markets/index.ts'
import { insertBalanceMarks, listEntries, readBalances, type StatementFilter } from './statement.store.ts'

export interface Statement {
  data: Transaction[]
  top_level: {
    next_before: number | null
    opening_balance_satang: number
    closing_balance_satang: number
  }
}

/**
 * A user's statement, newest first. The caller has checked access before.
 * @throws Refusal unknown_product, bad_input (days that run backwards, a far page)
 */
export async function listStatement(
  db: Db,
  user_id: number,
  filter: StatementFilter,
  part: { limit: number; offset: number; before?: number | undefined },
): Promise<Statement> {
  const { date_from, date_to, product_codes = [] } = filter
  if (date_from !== undefined && date_to !== undefined && date_from > date_to)
    throw new Refusal('bad_input', { problems: [{ part: 'querystring', path: '/date_to', rule: 'order' }] })
  refuseFarPage(part)
  for (const product_code of product_codes) await getProduct(db, product_code)
  // One after another: an export reads by the connections for reports, which are few, and takes one of them.
  const { transactions, next_before } = await listEntries(db, user_id, filter, part)
  const balances = await readBalances(db, user_id, filter)
  return {
    data: transactions.map((record) => ({ ...record, at: record.at.toISOString() })),
    top_level: { next_before, ...balances },
  }
}

/** Marks every balance that has changed since its last mark, shortly before midnight in Bangkok: statements are computed from there. */
export async function markBalances(db: Db): Promise<number> {
  return insertBalanceMarks(db, 1)
}

/** As many entries are read in some 2 ms. */
const MANY_ENTRIES = 5_000

/** The same of users with many entries since their last mark: all of a day need not be summed up for each part of their statements. */
export async function markBusyBalances(db: Db): Promise<number> {
  return insertBalanceMarks(db, MANY_ENTRIES)
}
