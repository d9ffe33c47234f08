// Everything that one person has begun and a second one has to decide: proposals, voids, results.

import type { ApprovalKind, WaitingDecision } from '@megalot/contract'
import type { Db } from '../../postgres/db.ts'
import { listWaitingAwards, listWaitingPeriodVoids } from '../../results/index.ts'
import { listWaitingVoids } from '../../betting/index.ts'
import { presentRecords } from './approvals.service.ts'
import { listPeople, listWaitingRecords } from './approvals.store.ts'
import type { ChangeCaller } from '../change.ts'
import { listVisibleKinds } from './kinds.ts'
import { isCallerAsPerson, toPerson } from './present-approval.ts'

const MAX_WAITING = 500

/** What has no proposal: who has begun it, and what it concerns. */
interface Begun extends Pick<
  WaitingDecision,
  'void_request_id' | 'order_id' | 'order' | 'period_code' | 'product_code' | 'is_locked' | 'reason'
> {
  kind: Exclude<WaitingDecision['kind'], ApprovalKind>
  begun_by: number
  begun_at: Date
  expires_at: Date | null
}

/** The permission with which somebody is the second person. */
const permissionOf = {
  void_order: 'tickets.do',
  void_period: 'periods.do',
  award: 'results.do',
  award_correction: 'results.do',
} as const

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
  const begun = await listBegun(db, caller)
  const people = await listPeople(
    db,
    begun.map(({ begun_by }) => begun_by),
  )
  const others = begun.map(({ begun_by, begun_at, expires_at, ...rest }) => {
    const isOther = !isCallerAsPerson(people, begun_by, caller)
    return {
      ...rest,
      approval: null,
      begun_by: toPerson(people, begun_by),
      begun_at: begun_at.toISOString(),
      expires_at: expires_at?.toISOString() ?? null,
      may_decide: isOther && !rest.is_locked && caller.permissions.has(permissionOf[rest.kind]),
      may_withdraw:
        !isOther &&
        (rest.kind === 'void_order' || rest.kind === 'void_period') &&
        caller.permissions.has(permissionOf[rest.kind]),
    }
  })
  const own = proposals.map((approval) => ({
    kind: approval.kind,
    approval,
    void_request_id: null,
    order_id: null,
    order: null,
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
  return [...own, ...others]
    .filter((one) => kind === undefined || one.kind === kind)
    .filter((one) => product_code === undefined || one.product_code === product_code)
    .toSorted((one, other) => one.begun_at.localeCompare(other.begun_at))
}

async function listBegun(db: Db, { permissions }: ChangeCaller): Promise<Begun[]> {
  const [voids, periodVoids, awards] = await Promise.all([
    permissions.has('tickets.view') ? listWaitingVoids(db) : [],
    permissions.has('periods.view') ? listWaitingPeriodVoids(db) : [],
    permissions.has('results.view') ? listWaitingAwards(db) : [],
  ])
  return [
    ...voids.map((one): Begun => ({ kind: 'void_order', is_locked: false, ...one })),
    ...periodVoids.map((one): Begun => ({
      kind: 'void_period',
      order_id: null,
      order: null,
      is_locked: false,
      ...one,
    })),
    ...awards.map((one): Begun => ({
      void_request_id: null,
      order_id: null,
      order: null,
      expires_at: null,
      ...one,
    })),
  ]
}
