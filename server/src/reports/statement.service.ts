// A user's statement: every entry with the balance after it.

import type { Transaction } from '@megalot/contract'
import type { Db } from '../postgres/db.ts'
import { refuseFarPage } from '../http/page.ts'
import { Refusal } from '../lib/refusal.ts'
import { getProduct } from '../markets/index.ts'
import { insertBalanceCheckpoints, listEntries, readBalances, type StatementFilter } from './statement.store.ts'

export interface Statement {
  data: Transaction[]
  top_level: {
    next_before: number | null
    opening_balance_satang: number
    closing_balance_satang: number
  }
}

/**
 * A user's statement, newest first. The caller has checked access.
 * @throws Refusal unknown_product, bad_input (days in reverse order, a far page)
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
  // Sequential, because an export uses report connections, which are few, and should take only one.
  const { transactions, next_before } = await listEntries(db, user_id, filter, part)
  const balances = await readBalances(db, user_id, filter)
  return {
    data: transactions.map((record) => ({ ...record, at: record.at.toISOString() })),
    top_level: { next_before, ...balances },
  }
}

/**
 * Marks every balance that has changed since its last mark, shortly before midnight in Bangkok. Statements are computed
 * from these marks.
 */
export async function saveBalanceCheckpoints(db: Db): Promise<number> {
  return insertBalanceCheckpoints(db, 1)
}

/** This many entries are read in about 2 ms. */
const MANY_ENTRIES = 5_000

/** Marks users with many entries since their last mark, so that statement pages need not sum up a whole day. */
export async function saveBusyBalanceCheckpoints(db: Db): Promise<number> {
  return insertBalanceCheckpoints(db, MANY_ENTRIES)
}
