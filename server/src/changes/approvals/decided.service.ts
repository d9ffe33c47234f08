// Everything that two people have decided: what the audit log holds of proposals and results, and the proposals that
// nobody decided in time.

import type { ApprovalKind, DecidedDecision, DecidedOutcome, Permission } from '@megalot/contract'
import type { Db } from '../../postgres/db.ts'
import { Refusal } from '../../lib/refusal.ts'
import { type EndingAction, listLoggedDecisions, type LoggedDecision } from '../audit/index.ts'
import { listPeriodRecords } from '../../markets/index.ts'
import { getReadUpTo, readUpTo } from '../../results/notices/index.ts'
import { presentRecords } from './approvals.service.ts'
import { listApprovalRecordsOf, listExpiredRecords, listPeople } from './approvals.store.ts'
import type { ChangeCaller } from '../change.ts'
import { listVisibleKinds } from './kinds.ts'
import { type People, toPerson } from './present-approval.ts'

interface Ending {
  /** Null: that of the proposal. */
  kind: Exclude<DecidedDecision['kind'], ApprovalKind> | null
  outcome: DecidedOutcome
  /** Who may see it; of a proposal whoever may see its kind. */
  permission: Permission | null
}

const proposal = { kind: null, permission: null } as const
const result = { kind: 'award', permission: 'results.view' } as const
const correction = { kind: 'award_correction', permission: 'results.view' } as const

const endings: Readonly<Record<EndingAction, Ending>> = {
  approve_approval: { ...proposal, outcome: 'executed' },
  reject_approval: { ...proposal, outcome: 'rejected' },
  withdraw_approval: { ...proposal, outcome: 'withdrawn' },
  award_agreed: { ...result, outcome: 'agreed' },
  award_locked: { ...result, outcome: 'differed' },
  award_reset: { ...result, outcome: 'removed' },
  award_correction_agreed: { ...correction, outcome: 'agreed' },
  award_correction_locked: { ...correction, outcome: 'differed' },
  award_correction_reset: { ...correction, outcome: 'removed' },
}

interface DecidedPart {
  /** The `cursor` of the last one of the part before. */
  before?: string | undefined
  limit: number
  /** Only what others have rejected, in the last days, of what the caller has begun and has not read about. */
  isOwnRejected?: boolean | undefined
}

/** How long whoever asked is shown that it was rejected. */
const REJECTED_DAYS = 7

/** What has been decided, of the areas that the caller may view, newest first. @throws Refusal bad_input (a cursor of no list) */
export async function listDecidedDecisions(
  db: Db,
  caller: ChangeCaller,
  { before, limit, isOwnRejected = false }: DecidedPart,
): Promise<{ data: DecidedDecision[]; top_level: { next_before: string | null } }> {
  const approval_kinds = listVisibleKinds(caller)
  const actions = (Object.keys(endings) as EndingAction[]).filter((action) => {
    const { permission, outcome } = endings[action]
    if (isOwnRejected && outcome !== 'rejected') return false
    return permission === null ? approval_kinds.length > 0 : caller.permissions.has(permission)
  })
  const from = before === undefined ? null : readCursor(before)
  const of = isOwnRejected
    ? { actor_id: caller.actor_id, days: REJECTED_DAYS, after_us: await getReadUpTo(db, caller.actor_id) }
    : undefined
  const logged = await listLoggedDecisions(db, { actions, approval_kinds, before: from, limit: limit + 1, of })
  const expired = isOwnRejected ? [] : await listExpiredRecords(db, approval_kinds, from, limit + 1)
  // By time and then by a number in which no two are equal: those of expired proposals are below 0.
  const found = [
    ...logged.map((one) => ({ at_us: one.at_us, id: one.audit_id, logged: one })),
    ...expired.map(({ at_us, ...record }) => ({ at_us, id: -record.approval_id, expired: record })),
  ].toSorted((one, other) => other.at_us - one.at_us || other.id - one.id)
  const shown = found.slice(0, limit)
  const inLog = shown.flatMap((one) => ('logged' in one ? [one.logged] : []))
  const parts = await readParts(db, caller, inLog)
  const lapsed = await presentRecords(
    db,
    caller,
    shown.flatMap((one) => ('expired' in one ? [one.expired] : [])),
  )
  const data = shown.map((one): DecidedDecision => {
    const cursor = `${one.at_us}.${one.id}`
    if ('logged' in one) return { cursor, ...presentLogged(one.logged, parts) }
    const approval = lapsed.find(({ approval_id }) => approval_id === one.expired.approval_id)!
    return {
      cursor,
      kind: approval.kind,
      outcome: 'expired',
      approval,
      period_code: null,
      product_code: approval.product_code,
      begun_by: approval.proposed_by,
      begun_at: approval.proposed_at,
      begun_reason: approval.reason,
      decided_by: null,
      decided_at: approval.expires_at,
      reason: null,
    }
  })
  return { data, top_level: { next_before: found.length > limit ? data.at(-1)!.cursor : null } }
}

/** Notes that a user has read what was rejected of its requests, up to a decision. @throws Refusal bad_input (a cursor of no list) */
export async function readRejections(db: Db, { actor_id }: ChangeCaller, up_to: string): Promise<void> {
  await readUpTo(db, actor_id, readCursor(up_to).at_us)
}

function readCursor(cursor: string): { at_us: number; id: number } {
  const [at_us, id] = cursor.split('.').map(Number)
  if (!Number.isSafeInteger(at_us) || !Number.isSafeInteger(id))
    throw new Refusal('bad_input', { problems: [{ part: 'querystring', path: '/before', rule: 'range' }] })
  return { at_us: at_us!, id: id! }
}

/** What the rows of the log name by their keys. */
interface Parts {
  people: People
  approvals: ReadonlyMap<number, NonNullable<DecidedDecision['approval']>>
  markets: ReadonlyMap<string, string>
}

async function readParts(db: Db, caller: ChangeCaller, logged: readonly LoggedDecision[]): Promise<Parts> {
  const people = await listPeople(
    db,
    logged.flatMap(({ actor_id, begun_by }) => (begun_by === null ? [actor_id] : [actor_id, begun_by])),
  )
  const ids = logged.flatMap(({ subject }) => keyOf(subject, 'approval')).map(Number)
  const approvals = await presentRecords(db, caller, await listApprovalRecordsOf(db, ids))
  const periods = await listPeriodRecords(
    db,
    logged.flatMap(({ subject }) => keyOf(subject, 'period')),
  )
  return {
    people,
    approvals: new Map(approvals.map((one) => [one.approval_id, one])),
    markets: new Map(periods.map(({ period_code, product_code }) => [period_code, product_code])),
  }
}

/** `42` of `approval:42`, as a list of one; of another form none. */
function keyOf(subject: string, form: 'approval' | 'period'): string[] {
  return subject.startsWith(`${form}:`) ? [subject.slice(form.length + 1)] : []
}

function presentLogged(logged: LoggedDecision, { people, approvals, markets }: Parts): Omit<DecidedDecision, 'cursor'> {
  const { action, subject, actor_id, at, reason, begun_by, begun_at, begun_reason } = logged
  const { kind, outcome } = endings[action]
  const approval = keyOf(subject, 'approval').map((id) => approvals.get(Number(id))!)[0] ?? null
  const [period_code] = keyOf(subject, 'period')
  return {
    kind: kind ?? approval!.kind,
    outcome,
    approval,
    period_code: period_code ?? null,
    product_code: approval?.product_code ?? markets.get(period_code ?? '') ?? null,
    begun_by: begun_by === null ? null : toPerson(people, begun_by),
    begun_at: begun_at?.toISOString() ?? null,
    begun_reason,
    decided_by: toPerson(people, actor_id),
    decided_at: at.toISOString(),
    // The log repeats the proposer's reason where the approver gave none.
    reason: approval === null ? reason : approval.decision_reason,
  }
}
