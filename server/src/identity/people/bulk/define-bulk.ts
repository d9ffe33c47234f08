// A change of up to a thousand users. Each row is decided by itself: refused rows change nothing and do not stop the others.

import { isDeepStrictEqual } from 'node:util'
import type { BulkOutcome, Permission, RefusalCode } from '@megalot/contract'
import type { At, AuditRow, By, Change, ChangeCaller, Lock } from '../../../changes/index.ts'
import { canAccess, type Scope } from '../../../http/caller.ts'
import { Refusal } from '../../../lib/refusal.ts'
import type { Db } from '../../../postgres/db.ts'
import { type BulkUser, listBulkUsers } from './bulk.store.ts'

/** What a row would change, or why not. */
export type RowDecision =
  | {
      before: Record<string, unknown>
      after: Record<string, unknown>
      below_count?: number
      /** The row changes something even where `after` is as `before`. */
      isChanged?: boolean
    }
  | { code: RefusalCode; details?: Record<string, unknown> }

/** A row that is not refused for whom it names. */
export interface BulkRow<Row> {
  row: Row
  user: BulkUser
}

/** A row that changes something. Fields that `write` adds to `after` reach the outcome and the audit log. */
export interface AcceptedRow<Row> extends BulkRow<Row> {
  before: Record<string, unknown>
  after: Record<string, unknown>
}

interface UserRow {
  user_id: number
}

export interface BulkChange<Input, Row extends UserRow, Found, State, Ready> {
  name: string
  /** In the audit log. */
  action: string | ((input: Input) => string)
  needs: Permission
  input: Change<Input, never, never, never, never, never>['input']
  withoutSecrets?(input: Input): object
  rowsOf(input: NoInfer<Input>): readonly Row[]
  find?(db: Db, input: Input, caller: ChangeCaller): Promise<Found>
  /** On users whom the caller reaches, of whom there is one at least; they are read afterwards. */
  locks(users: readonly BulkUser[]): readonly Lock[]
  load?(at: At, users: readonly BulkUser[], found: Found): Promise<State>
  /** Decides the rows of the highest users first; absent: in their order. */
  fromTheTop?: true
  /** May enter the row in the state, by which the next row is decided. */
  decideRow(state: State, row: BulkRow<Row>, input: Input, by: By): RowDecision
  prepare?(rows: readonly BulkRow<Row>[], by: By): Promise<Ready>
  /** Writes rows that change something. @returns further audit rows, for users who change with them */
  write(
    at: At,
    rows: readonly AcceptedRow<Row>[],
    state: State,
    input: Input,
    ready: Ready,
  ): Promise<readonly AuditRow[] | void>
}

interface Named<Found> {
  /** Whom the caller may not change. */
  refused: ReadonlyMap<number, RefusalCode>
  reached: readonly BulkUser[]
  own: Found
}

interface Loaded<State> extends Omit<Named<unknown>, 'own'> {
  own: State
}

interface BulkPlan<Input, Row, State> {
  outcomes: BulkOutcome[]
  changed: readonly AcceptedRow<Row>[]
  state: State
  input: Input
}

/**
 * A change of many users, whose outcome is that of each row.
 * @throws Refusal bad_input (a user is named twice). Rows are refused in their outcomes: not_found, not_allowed (oneself, the company, an
 * office user), and what the change refuses
 */
export function defineBulk<Input, Row extends UserRow, Found = undefined, State = undefined, Ready = undefined>(
  bulk: BulkChange<Input, Row, Found, State, Ready>,
): Change<Input, Named<Found>, Loaded<State>, BulkPlan<Input, Row, State>, Ready, BulkOutcome[]> {
  return {
    name: bulk.name,
    needs: bulk.needs,
    input: bulk.input,
    withoutSecrets: (input) => bulk.withoutSecrets?.(input) ?? (input as object),
    // A user's place never changes.
    async find(db, input, caller) {
      const own = (await bulk.find?.(db, input, caller)) as Found
      const ids = bulk.rowsOf(input).map(({ user_id }) => user_id)
      if (new Set(ids).size < ids.length) throw new Refusal('bad_input', { fields: ['user_id'] })
      const named = await listBulkUsers(db, ids)
      const refused = new Map<number, RefusalCode>()
      for (const user_id of ids) {
        const code = refusalOf(caller, named.get(user_id))
        if (code) refused.set(user_id, code)
      }
      return { refused, reached: [...named.values()].filter(({ user_id }) => !refused.has(user_id)), own }
    },
    // Users of other lines do not wait for this call.
    locks: (_input, { reached }) => (reached.length > 0 ? bulk.locks(reached) : []),
    async load(at, _input, { refused, reached, own }) {
      const users = await listBulkUsers(
        at.tx,
        reached.map(({ user_id }) => user_id),
      )
      const current = [...users.values()]
      return { refused, reached: current, own: (await bulk.load?.(at, current, own)) as State }
    },
    decide({ refused, reached, own: state }, input, by) {
      const users = new Map(reached.map((user) => [user.user_id, user]))
      const rows = bulk.rowsOf(input)
      const ofReached = rows.flatMap((row): BulkRow<Row>[] => {
        const user = users.get(row.user_id)
        return user ? [{ row, user }] : []
      })
      const ordered = bulk.fromTheTop
        ? ofReached.toSorted((one, other) => one.user.upline_ids.length - other.user.upline_ids.length)
        : ofReached
      const decisions = new Map(ordered.map((each) => [each.row.user_id, bulk.decideRow(state, each, input, by)]))
      const changed = ofReached.flatMap((each): AcceptedRow<Row>[] => {
        const decision = decisions.get(each.row.user_id)!
        if ('code' in decision) return []
        const { before, after, isChanged = false } = decision
        return isChanged || !isDeepStrictEqual(before, after) ? [{ ...each, before, after }] : []
      })
      const outcomes = rows.map(({ user_id }) =>
        toOutcome(user_id, decisions.get(user_id) ?? { code: refused.get(user_id)! }),
      )
      const action = typeof bulk.action === 'string' ? bulk.action : bulk.action(input)
      return {
        plan: { outcomes, changed, state, input },
        rows: changed.map(({ user, before, after }) => ({ action, subject: `user:${user.user_id}`, before, after })),
      }
    },
    ...(bulk.prepare && { prepare: ({ changed }, _input, by) => bulk.prepare!(changed, by) }),
    async write(at, { outcomes, changed, state, input }, _by, ready) {
      if (changed.length === 0) return { outcome: outcomes }
      const rows = await bulk.write(at, changed, state, input, ready)
      return { outcome: outcomes, ...(rows && { rows }) }
    },
  }
}

/** Refuses the caller itself, its uplines, the company, users outside its downline, and office users, who are staff. */
function refusalOf(caller: Scope, user: BulkUser | undefined): RefusalCode | undefined {
  if (!user || !canAccess(caller, user)) return 'not_found'
  return user.is_office || user.parent_id === null || user.user_id === caller.principal_id ? 'not_allowed' : undefined
}

function toOutcome(user_id: number, decision: RowDecision): BulkOutcome {
  if ('code' in decision)
    return { user_id, code: decision.code, details: decision.details ?? {}, before: {}, after: {}, below_count: 0 }
  const { before, after, below_count = 0 } = decision
  return { user_id, code: 'ok', details: {}, before, after, below_count }
}

export const toRows = ({ user_ids }: { user_ids: readonly number[] }): UserRow[] =>
  user_ids.map((user_id) => ({ user_id }))

export function idsOf(rows: readonly { user: UserRow }[]): number[] {
  return rows.map(({ user }) => user.user_id)
}

/** The users and their parents, each once. */
export function withParents(users: readonly { user_id: number; parent_id: number | null }[]): number[] {
  return [
    ...new Set(users.flatMap(({ user_id, parent_id }) => (parent_id === null ? [user_id] : [user_id, parent_id]))),
  ]
}
