// Runs changes in tests, as a user who may do everything.

import { type Period, permissions } from '@megalot/contract'
import { sql } from 'kysely'
import {
  applyChange,
  carryOut,
  type Change,
  type ChangeCall,
  type ChangeCaller,
  findFor,
} from '../src/changes/index.ts'
import { closePeriod } from '../src/markets/index.ts'
import type { Db } from '../src/postgres/db.ts'

type Actor = Pick<ChangeCaller, 'actor_id' | 'principal_id' | 'is_office'>

/**
 * @param by an office user, or the acting user
 * @param authority `approved`: as in the transaction of a second person's approval
 */
export async function changeAs<Input, Found, State, Plan, Ready, Outcome>(
  db: Db,
  by: number | Actor,
  change: Change<Input, Found, State, Plan, Ready, Outcome>,
  { reason, request_id, ...rest }: Input & { reason?: string; request_id?: string },
  authority: 'alone' | 'approved' = 'alone',
): Promise<Outcome | undefined> {
  const actor = typeof by === 'number' ? { actor_id: by, principal_id: by, is_office: true } : by
  const caller = { ...actor, permissions: new Set(permissions) }
  const call = { caller, input: rest as unknown as Input, reason, request_id }
  if (authority === 'alone') return carryOut(db, change, call)
  return carryOutApproved(db, change, call)
}

/** Carries a change out as the second person does, without a password. */
export async function carryOutApproved<Input, Found, State, Plan, Ready, Outcome>(
  db: Db,
  change: Change<Input, Found, State, Plan, Ready, Outcome>,
  call: ChangeCall<Input>,
): Promise<Outcome | undefined> {
  const found = await findFor(db, change, call)
  const { outcome } = await db.transaction().execute((tx) =>
    applyChange<Input, Found, State, Plan, Ready, Outcome, Outcome>(tx, change, call, found, {
      run: (_at, _decision, write) => write(undefined as Ready),
    }),
  )
  return outcome
}

/** Closes an open period, as an office user of the demo. */
export async function closeEarly(db: Db, period_code: string): Promise<Period> {
  const { rows } = await sql<{ user_id: number }>`select user_id from users where username = 'office01'`.execute(db)
  return (await changeAs(db, rows[0]!.user_id, closePeriod, { period_code, reason: 'a test' }))!
}
