// The daily work of a demo: results of drawn periods, manual settings of numbers in new periods, and a waiting ticket.
// All of it uses the application's own services.

import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { createIntake, placeOrder } from '../betting/index.ts'
import { carryOut } from '../changes/index.ts'
import { setLimitNumber } from '../markets/quotas/index.ts'
import type { DatabaseHandles, Db } from '../postgres/db.ts'
import { Refusal } from '../lib/refusal.ts'
import { findDemoCaller } from './demo-caller.ts'
import { enterDemoResult, listUndrawnPeriods } from './demo-draws.ts'
import { listNumberSettings, popularNumbersOf } from './house-quotas.ts'
import { readPastDraws } from './past-draws.ts'

export interface DemoDay {
  /** Processes everything due; one run at a time. */
  run(): Promise<void>
  /** Ends a run in progress soon, and disables later ones. */
  stop(): void
}

/** How many results are entered before their periods are settled. */
const RESULTS_AT_ONCE = 20

/**
 * @param db with the application's role
 * @param owner marks generated results
 * @param settle settles every period whose result is agreed
 */
export function createDemoDay(db: Db, owner: Db, settle: () => Promise<unknown>): DemoDay {
  let isStopping = false

  async function enterResults(): Promise<void> {
    const known = await readPastDraws()
    while (!isStopping) {
      const codes = await listUndrawnPeriods(owner, RESULTS_AT_ONCE)
      let entered = 0
      for (const code of codes) if (await enterDemoResult(owner, code, known)) entered += 1
      if (entered === 0) return
      await settle()
    }
  }

  return {
    run: async () => {
      if (isStopping) return
      await setPopularNumbers(db)
      await enterResults()
    },
    stop: () => {
      isStopping = true
    },
  }
}

/** Sets popular numbers of open periods without any, as the office does each day. */
export async function setPopularNumbers(db: Db): Promise<void> {
  const caller = await findDemoCaller(db, 'office02')
  if (!caller) return
  const { rows } = await sql<{ product_code: string; period_code: string }>`
    select product_code, period_code from periods
    where outcome = 'pending' and open_at <= clock_timestamp() and close_at > clock_timestamp() + interval '5 minutes'
      and not is_manual
      and not exists (select 1 from number_settings where number_settings.period_id = periods.period_id)`.execute(db)
  for (const { product_code, period_code } of rows)
    for (const setting of listNumberSettings(product_code, popularNumbersOf(period_code)))
      await carryOut(db, setLimitNumber, { caller, input: { period_code, ...setting } }).catch(ignoreRefusal)
}

/** The member with a waiting ticket. */
const WAITING_MEMBER = 'member02'

/**
 * Places a ticket that waits for its member, because one of its numbers pays half; does nothing if one already waits.
 */
export async function placeWaitingTicket({ db, batches }: Pick<DatabaseHandles, 'db' | 'batches'>): Promise<void> {
  const member = await findDemoCaller(db, WAITING_MEMBER)
  if (!member) return
  await setPopularNumbers(db)
  const { rows } = await sql<{ period_code: string; number: string; rate: number }>`
    select period_code, quota_key as number, rate
    from number_settings join periods using (period_id) join packages using (product_code)
      join package_terms terms on terms.package_id = packages.package_id and terms.bet_type = '2top'
    where number_settings.bet_type = '2top' and set_to = 'half' and outcome = 'pending' and package_code = '90'
      and open_at <= clock_timestamp() and close_at > clock_timestamp() + interval '10 minutes'
      and not exists (select 1 from orders where user_id = ${member.actor_id} and status = 'WAIT_CONFIRM')
    -- A ticket waits for half an hour, or until the close.
    order by close_at > clock_timestamp() + interval '30 minutes' desc, close_at limit 1`.execute(db)
  const [found] = rows
  if (!found) return
  const { period_code, number, rate } = found
  const items = [
    { bet_type: '2top' as const, number, bet_satang: 5_000, rate },
    { bet_type: '2bottom' as const, number: number === '47' ? '74' : '47', bet_satang: 2_000, rate },
  ]
  const body = { request_id: randomUUID(), period_code, package_code: '90', note: 'เลขฝัน', items }
  await placeOrder(db, createIntake(batches), member, body).catch(ignoreRefusal)
}

/** The demo works without this ticket, for example if the member has no credit or the period has just closed. */
function ignoreRefusal(error: unknown): void {
  if (!(error instanceof Refusal)) throw error
}
