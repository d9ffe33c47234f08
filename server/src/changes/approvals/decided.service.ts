// Everything that two people have decided: proposals, expired ones included, and results from the audit log.

import type { Approval, DecidedDecision } from '@megalot/contract'
import type { Db } from '../../postgres/db.ts'
import { Refusal } from '../../lib/refusal.ts'
import { type EndingAction, listEndings, type LoggedDecision, type TimeCursor } from '../audit/index.ts'
import { listPeriodRecords } from '../../markets/index.ts'
import { getReadUpTo, readUpTo } from '../../results/notices/index.ts'
import { presentRecords } from './approvals.service.ts'
import { listDecidedRecords, listPeople } from './approvals.store.ts'
import type { ChangeCaller } from '../change.ts'
import { listVisibleKinds } from './kinds.ts'
import { toPerson } from './present-approval.ts'

const endings: Readonly<Record<EndingAction, Pick<DecidedDecision, 'kind' | 'outcome'>>> = {
  award_agreed: { kind: 'award', outcome: 'agreed' },
  award_locked: { kind: 'award', outcome: 'differed' },
  award_reset: { kind: 'award', outcome: 'removed' },
  award_correction_agreed: { kind: 'award_correction', outcome: 'agreed' },
  award_correction_locked: { kind: 'award_correction', outcome: 'differed' },
  award_correction_reset: { kind: 'award_correction', outcome: 'removed' },
}

interface DecidedPart {
  /** The `cursor` of the last one of the part before. */
  before?: string | undefined
  limit: number
  /** Only what others have rejected, in the last days, of what the caller has begun and has not read about. */
  isOwnRejected?: boolean | undefined
}

/** How long a rejection is shown to the proposer. */
const REJECTED_DAYS = 7

type Decided = Omit<DecidedDecision, 'cursor'>
type Dated<One> = One & TimeCursor

/** What has been decided, of the areas that the caller may view, newest first. @throws Refusal bad_input (a cursor of no list) */
export async function listDecidedDecisions(
  db: Db,
  caller: ChangeCaller,
  { before, limit, isOwnRejected = false }: DecidedPart,
): Promise<{ data: DecidedDecision[]; top_level: { next_before: string | null } }> {
  const from = before === undefined ? null : readCursor(before)
  const rejectedOf = isOwnRejected
    ? { user_id: caller.actor_id, days: REJECTED_DAYS, after_us: await getReadUpTo(db, caller.actor_id) }
    : undefined
  const filter = { kinds: listVisibleKinds(caller), before: from, limit: limit + 1, rejectedOf }
  const proposals = await listDecidedRecords(db, filter)
  const mayViewResults = !isOwnRejected && caller.permissions.has('results.view')
  const results = mayViewResults ? await listEndings(db, from, limit + 1) : []
  const approvals = await presentRecords(
    db,
    caller,
    proposals.map(({ record }) => record),
  )
  // By time and then by a unique number, below 0 for proposals.
  const found = [
    ...approvals.map((approval, at): Dated<Decided> => {
      return { at_us: proposals[at]!.at_us, id: -approval.approval_id, ...toDecided(approval) }
    }),
    ...(await presentResults(db, results)),
  ].toSorted((one, other) => other.at_us - one.at_us || other.id - one.id)
  const data = found.slice(0, limit).map(({ at_us, id, ...decided }) => ({ cursor: `${at_us}.${id}`, ...decided }))
  return { data, top_level: { next_before: found.length > limit ? data.at(-1)!.cursor : null } }
}

function toDecided(approval: Approval): Decided {
  const { kind, state, product_code, proposed_by, proposed_at, reason, decided_by, decided_at, expires_at } = approval
  return {
    kind,
    outcome: state as DecidedDecision['outcome'],
    approval,
    period_code: null,
    product_code,
    begun_by: proposed_by,
    begun_at: proposed_at,
    begun_reason: reason,
    decided_by,
    decided_at: decided_at ?? expires_at,
    reason: approval.decision_reason,
  }
}

async function presentResults(db: Db, logged: readonly LoggedDecision[]): Promise<Dated<Decided>[]> {
  const people = await listPeople(
    db,
    logged.flatMap(({ actor_id, begun_by }) => [actor_id, begun_by ?? actor_id]),
  )
  const periods = await listPeriodRecords(
    db,
    logged.map(({ period_code }) => period_code),
  )
  const markets = new Map(periods.map(({ period_code, product_code }) => [period_code, product_code]))
  return logged.map(
    ({ at_us, audit_id, action, period_code, actor_id, at, reason, begun_by, begun_at, begun_reason }) => ({
      at_us,
      id: audit_id,
      ...endings[action],
      approval: null,
      period_code,
      product_code: markets.get(period_code) ?? null,
      begun_by: begun_by === null ? null : toPerson(people, begun_by),
      begun_at: begun_at?.toISOString() ?? null,
      begun_reason,
      decided_by: toPerson(people, actor_id),
      decided_at: at.toISOString(),
      reason,
    }),
  )
}

/** Notes that a user has read what was rejected of its requests, up to a decision. @throws Refusal bad_input (a cursor of no list) */
export async function readRejections(db: Db, { actor_id }: ChangeCaller, up_to: string): Promise<void> {
  await readUpTo(db, actor_id, readCursor(up_to).at_us)
}

function readCursor(cursor: string): TimeCursor {
  const [at_us, id] = cursor.split('.').map(Number)
  if (!Number.isSafeInteger(at_us) || !Number.isSafeInteger(id))
    throw new Refusal('bad_input', { problems: [{ part: 'querystring', path: '/before', rule: 'range' }] })
  return { at_us: at_us!, id: id! }
}
