// The stored exposure of a period, as sums by name, named as in `book-recount.ts`.

import { sql } from 'kysely'
import type { Db } from '../src/postgres/db.ts'
import type { Recount } from './book-recount.ts'

export async function readBook(owner: Db, period_code: string): Promise<Recount> {
  const { rows } = await sql<{ name: string; amount: number }>`
    with period as (select period_id from periods where period_code = ${period_code}),
    types as (select * from unnest(array['3top','3roll','3front','3bottom','2top','2bottom','2roll','1top','1bottom'])
      with ordinality as type (bet_type, place))
    select bet_type_of(slot) || ' ' || number_of(slot) || ' ' || column_name as name, amount
    from book_slots cross join lateral (values ('lines', line_count::bigint), ('stake', stake_satang),
      ('payout', payout_satang), ('own_stake', own_stake_satang), ('own_payout', own_payout_satang)) sums (column_name, amount)
    where period_id in (table period)
    union all
    select concat_ws(' ', 'member', username, package_code, bet_type, column_name), amount
    from book_members join users using (user_id) join packages using (package_id) cross join types
      cross join lateral (values ('received', received_satang[place]), ('discount', discount_satang[place])) sums (column_name, amount)
    where period_id in (table period)
    union all
    select 'total ' || column_name, amount from book_periods
      cross join lateral (values ('lines', line_count::bigint), ('stake', received_satang), ('discount', discount_satang)) sums (column_name, amount)
    where period_id in (table period)`.execute(owner)
  return Object.fromEntries(rows.filter(({ amount }) => amount !== 0).map(({ name, amount }) => [name, amount]))
}
