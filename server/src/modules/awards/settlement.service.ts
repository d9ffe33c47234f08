// Settlement: every winning item of a period is paid exactly once. It touches winners only; to lose is what is left.
// It goes in steps of some hundred tickets, in order of their numbers. Each step pays, and notes how far it came, in one
// transaction, so that it can be stopped anywhere and goes on where it was.

import { type BetTypeCode, betTypes, type Bottom3Set, type DrawResult, winSatang } from '@megalot/rules'
import { sql } from 'kysely'
import type { Db, Tx } from '../../platform/db.ts'
import { getPeriodAccountId, lockCashAccounts, postEntries } from '../ledger/ledger.service.ts'
import { getPeriodById, setOutcome } from '../markets/markets.service.ts'
import { expireOrdersOfPeriod } from '../orders/order-life.service.ts'
import {
  findAward,
  finishSettlement,
  listPeriodIdsToSettle,
  listWinningItems,
  lockSettlement,
  noteProgress,
  type WinningItem,
  writeWins,
} from './awards.store.ts'

const TICKETS_PER_STEP = 500

/**
 * Settles every period whose award is agreed. Any node may call it at any time.
 * @returns how many periods it finished
 * @throws the failures together, after all other periods had their turn
 */
export async function settleDuePeriods(db: Db): Promise<number> {
  const period_ids = await listPeriodIdsToSettle(db)
  const failures: unknown[] = []
  for (const period_id of period_ids) await settlePeriod(db, period_id).catch((error: unknown) => failures.push(error))
  if (failures.length > 0) throw new AggregateError(failures, `${failures.length} periods could not be settled`)
  return period_ids.length
}

/** Pays a period to its end. @param ticketsPerStep smaller steps give way to others more often */
export async function settlePeriod(db: Db, period_id: number, ticketsPerStep = TICKETS_PER_STEP): Promise<void> {
  while (!(await settleStep(db, period_id, ticketsPerStep)));
}

/** Pays the next tickets. @returns whether the period is settled */
export async function settleStep(db: Db, period_id: number, ticketsPerStep: number): Promise<boolean> {
  return db.transaction().execute(async (tx) => {
    const { paid_up_to_order_id, isFinished } = await lockSettlement(tx, period_id)
    if (isFinished) return true
    // A step of its own: it holds the cash of members, and paying takes hold of that of others.
    if ((await expireOrdersOfPeriod(tx, await getPeriodById(tx, period_id))) > 0) return false
    const winning = await listWinningNumbers(tx, period_id)
    const { items, last_order_id } = await listWinningItems(tx, period_id, winning, paid_up_to_order_id, ticketsPerStep)
    if (last_order_id === null) {
      await finishSettlement(tx, period_id)
      await setOutcome(tx, period_id, 'settled')
      return true
    }
    const { orders, satang } = await pay(tx, period_id, items)
    await noteProgress(tx, period_id, { paid_up_to_order_id: last_order_id, orders, satang })
    return false
  })
}

async function listWinningNumbers(tx: Tx, period_id: number): Promise<{ bet_type: BetTypeCode; number: string }[]> {
  const award = await findAward(tx, period_id)
  if (award?.state !== 'agreed') throw new Error(`Period ${period_id} is to be settled without an agreed award`)
  const { rows } = await sql<{ bottom3_set: Bottom3Set }>`
    select bottom3_set from periods where period_id = ${period_id}`.execute(tx)
  return winningNumbersOf(award.result, rows[0]!.bottom3_set)
}

/** Every winning number of every bet type: also of one that the market has ceased to offer since bets were taken. */
function winningNumbersOf(result: DrawResult, bottom3_set: Bottom3Set): { bet_type: BetTypeCode; number: string }[] {
  return betTypes.flatMap((betType) =>
    betType.winningNumbers(result, bottom3_set).map((number) => ({ bet_type: betType.code, number })),
  )
}

async function pay(
  tx: Tx,
  period_id: number,
  items: readonly WinningItem[],
): Promise<{ orders: number; satang: number }> {
  const wins = items.map((item) => ({ ...item, win_satang: winSatang(item.received_satang, item.rate) }))
  const totals = new Map<number, { user_id: number; win_satang: number }>()
  for (const { order_id, user_id, win_satang } of wins) {
    const total = totals.get(order_id) ?? { user_id, win_satang: 0 }
    total.win_satang += win_satang
    totals.set(order_id, total)
  }
  const accounts = await lockCashAccounts(tx, [...new Set(items.map((item) => item.user_id))])
  const period_account_id = await getPeriodAccountId(tx, period_id)
  await writeWins(tx, wins)
  await postEntries(
    tx,
    [...totals]
      .filter(([, { win_satang }]) => win_satang > 0)
      .map(([order_id, { user_id, win_satang }]) => ({
        kind: 'win' as const,
        order_id,
        once_key: `win:${period_id}:${order_id}`,
        actor_id: null,
        from_account_id: period_account_id,
        to_account_id: accounts.get(user_id)!.account_id,
        amount_satang: win_satang,
      })),
  )
  const satang = wins.reduce((sum, win) => sum + win.win_satang, 0)
  return { orders: totals.size, satang }
}
