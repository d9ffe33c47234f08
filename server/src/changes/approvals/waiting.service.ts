// Everything that one person has begun and a second one has to decide: proposals and results.

import type { WaitingDecision } from '@megalot/contract'
import type { Db } from '../../postgres/db.ts'
import { listWaitingAwards } from '../../results/index.ts'
import { presentRecords } from './approvals.service.ts'
import { listPeople, listWaitingRecords } from './approvals.store.ts'
import type { ChangeCaller } from '../change.ts'
import { listVisibleKinds } from './kinds.ts'
import { isCallerAsPerson, toPerson } from './present-approval.ts'

const MAX_WAITING = 500

export interface WaitingFilter {
  kind?: WaitingDecision['kind'] | undefined
  product_code?: string | undefined
}

/** How much waits for a second person, and how much of it the caller may decide. */
export async function countWaitingDecisions(
  db: Db,
  caller: ChangeCaller,
): Promise<{ waiting: number; to_decide: number }> {
  const waiting = await listWaitingDecisions(db, caller)
  return { waiting: waiting.length, to_decide: waiting.filter(({ may_decide }) => may_decide).length }
}

/** What waits for a second person, of the areas that the caller may view, oldest first. */
export async function listWaitingDecisions(
  db: Db,
  caller: ChangeCaller,
  { kind, product_code }: WaitingFilter = {},
): Promise<WaitingDecision[]> {
  const proposals = await presentRecords(
    db,
    caller,
    await listWaitingRecords(db, listVisibleKinds(caller), MAX_WAITING),
  )
  const awards = caller.permissions.has('results.view') ? await listWaitingAwards(db) : []
  const people = await listPeople(
    db,
    awards.map(({ begun_by }) => begun_by),
  )
  const results = awards.map(({ begun_by, begun_at, ...rest }) => ({
    ...rest,
    approval: null,
    begun_by: toPerson(people, begun_by),
    begun_at: begun_at.toISOString(),
    expires_at: null,
    may_decide: !isCallerAsPerson(people, begun_by, caller) && !rest.is_locked && caller.permissions.has('results.do'),
    may_withdraw: false,
  }))
  const own = proposals.map((approval) => ({
    kind: approval.kind,
    approval,
    period_code: null,
    product_code: approval.product_code,
    is_locked: false,
    begun_by: approval.proposed_by,
    begun_at: approval.proposed_at,
    expires_at: approval.expires_at,
    reason: approval.reason,
    may_decide: approval.may_decide,
    may_withdraw: approval.may_withdraw,
  }))
  return [...own, ...results]
    .filter((one) => kind === undefined || one.kind === kind)
    .filter((one) => product_code === undefined || one.product_code === product_code)
    .toSorted((one, other) => one.begun_at.localeCompare(other.begun_at))
}
