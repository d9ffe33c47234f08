// What an agent sees first: what to collect, pay and pass up, and what comes next.

import type { MoneyHome } from '@megalot/contract'
import type { Caller } from '../http/caller.ts'
import { addDays } from '../lib/bangkok.ts'
import type { Db } from '../postgres/db.ts'
import { countWaitingClearings } from './clearings.store.ts'
import { findOwnerId, sumOwnPart } from './edges.store.ts'
import { countOpenDisputes, listClosing, listNewMembers } from './home.store.ts'
import { getWeekSheet } from './week-sheet.service.ts'

const OVER_FIGURE = 10

/** The caller's money at a glance; for the office, the company's. */
export async function getMoneyHome(db: Db, caller: Caller): Promise<MoneyHome> {
  const owner_id = await findOwnerId(db, caller)
  const { data, top_level } = await getWeekSheet(db, caller, {})
  const { week, sums } = top_level
  return {
    week,
    collect_satang: sums.collect_satang,
    collect_count: sums.collect_count,
    pay_satang: sums.pay_satang,
    pay_count: sums.pay_count,
    pass_up_satang: sums.pass_up_satang,
    own_week_satang: sums.own_satang,
    own_last_week_satang: await sumOwnPart(db, owner_id, addDays(week, -7)),
    closing: await listClosing(db, owner_id),
    new_members: await listNewMembers(db, owner_id),
    over_figure: data
      .filter(({ is_over_figure }) => is_over_figure)
      .slice(0, OVER_FIGURE)
      .map(({ user_id, username, display_name, level, balance_satang }) => ({
        ...{ user_id, username, display_name, level },
        balance_satang,
      })),
    open_dispute_count: await countOpenDisputes(db, owner_id),
    ...(await countWaitingClearings(db, owner_id)),
  }
}
