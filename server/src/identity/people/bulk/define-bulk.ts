// A change of up to a thousand users. Each row is decided by itself: refused rows change nothing and do not stop the others.

import { isDeepStrictEqual } from 'node:util'
import {
  type BulkOutcome,
  MAX_FOUND_ROWS,
  type PeopleFilter,
  type Permission,
  type RefusalCode,
} from '@megalot/contract'
import type { At, AuditRow, By, Change, ChangeCaller, Lock } from '../../../changes/index.ts'
import { canAccess, type Scope } from '../../../http/caller.ts'
import { Refusal } from '../../../lib/refusal.ts'
import type { Db } from '../../../postgres/db.ts'
import { listFoundIds, readFilter } from '../people.service.ts'
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
  /** The named users, or undefined for an input with a filter. */
  rowsOf(input: NoInfer<Input>): readonly Row[] | undefined
  /** Absent if the input has no filter, like `rowOfFound`. */
  filterOf?(input: NoInfer<Input>): PeopleFilter | undefined
  /** The row of a user whom the filter has found. */
  rowOfFound?(user_id: number, input: NoInfer<Input>): Row
  find?(db: Db, input: Input, caller: ChangeCaller, user_ids: readonly number[]): Promise<Found>
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

interface Named<Row, Found> {
  rows: readonly Row[]
  /** Whom the caller may not change. */
  refused: ReadonlyMap<number, RefusalCode>
  reached: readonly BulkUser[]
  own: Found
}

interface Loaded<Row, State> extends Omit<Named<Row, unknown>, 'own'> {
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
 * @throws Refusal bad_input (a user is named twice, or by ids and a filter), too_many_found. Rows are refused in their outcomes: not_found, not_allowed (oneself, the company, an
 * office user), and what the change refuses
 */
export function defineBulk<Input, Row extends UserRow, Found = undefined, State = undefined, Ready = undefined>(
  bulk: BulkChange<Input, Row, Found, State, Ready>,
): Change<Input, Named<Row, Found>, Loaded<Row, State>, BulkPlan<Input, Row, State>, Ready, BulkOutcome[]> {
  return {
    name: bulk.name,
    needs: bulk.needs,
    input: bulk.input,
    withoutSecrets: (input) => bulk.withoutSecrets?.(input) ?? (input as object),
    // A user's place never changes.
    async find(db, input, caller) {
      const rows = await findRows(db, bulk, input, caller)
      const ids = rows.map(({ user_id }) => user_id)
      if (new Set(ids).size < ids.length) throw new Refusal('bad_input', { fields: ['user_id'] })
      const own = (await bulk.find?.(db, input, caller, ids)) as Found
      const named = await listBulkUsers(db, ids)
      const refused = new Map<number, RefusalCode>()
      for (const user_id of ids) {
        const code = refusalOf(caller, named.get(user_id))
        if (code) refused.set(user_id, code)
      }
      return { rows, refused, reached: [...named.values()].filter(({ user_id }) => !refused.has(user_id)), own }
    },
    // Users of other lines do not wait for this call.
    locks: (_input, { reached }) => (reached.length > 0 ? bulk.locks(reached) : []),
    async load(at, input, { rows, refused, reached, own }) {
      const ids = reached.map(({ user_id }) => user_id)
      const current = [...(await listBulkUsers(at.tx, ids)).values()]
      const filter = bulk.filterOf?.(input)
      if (filter === undefined)
        return { rows, refused, reached: current, own: (await bulk.load?.(at, current, own)) as State }
      // A user who has left the filter since is no part of the change.
      const matching = new Set(await findMatching(at.tx, filter, at.by.caller, ids))
      const kept = current.filter(({ user_id }) => matching.has(user_id))
      const keptRows = rows.filter(({ user_id }) => matching.has(user_id))
      return { rows: keptRows, refused, reached: kept, own: (await bulk.load?.(at, kept, own)) as State }
    },
    decide({ rows, refused, reached, own: state }, input, by) {
      const users = new Map(reached.map((user) => [user.user_id, user]))
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
        toOutcome(user_id, users.get(user_id)?.username, decisions.get(user_id) ?? { code: refused.get(user_id)! }),
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

function toOutcome(user_id: number, username: string | undefined, decision: RowDecision): BulkOutcome {
  const named = { user_id, ...(username !== undefined && { username }) }
  if ('code' in decision)
    return { ...named, code: decision.code, details: decision.details ?? {}, before: {}, after: {}, below_count: 0 }
  const { before, after, below_count = 0 } = decision
  return { ...named, code: 'ok', details: {}, before, after, below_count }
}

/** @throws Refusal bad_input (neither or both), too_many_found */
async function findRows<Input, Row extends UserRow>(
  db: Db,
  bulk: Pick<BulkChange<Input, Row, never, never, never>, 'rowsOf' | 'filterOf' | 'rowOfFound'>,
  input: Input,
  caller: ChangeCaller,
): Promise<readonly Row[]> {
  const named = bulk.rowsOf(input)
  const filter = bulk.filterOf?.(input)
  if ((named === undefined) === (filter === undefined)) throw new Refusal('bad_input', { fields: ['filter'] })
  if (filter === undefined) return named!
  const found = await findMatching(db, filter, caller, null)
  if (found.length > MAX_FOUND_ROWS) throw new Refusal('too_many_found', { most: MAX_FOUND_ROWS })
  return found.map((user_id) => bulk.rowOfFound!(user_id, input))
}

/** Users of the filter, by id. @param among only these; null for one more than a call may change */
async function findMatching(
  db: Db,
  filter: PeopleFilter,
  caller: ChangeCaller,
  among: readonly number[] | null,
): Promise<number[]> {
  return listFoundIds(db, caller, await readFilter(db, caller, filter), among, MAX_FOUND_ROWS + 1)
}

const rowOf = (user_id: number): UserRow => ({ user_id })

/** For changes that need nothing of a row but its user. */
export const byUser = {
  rowsOf: ({ user_ids }: { user_ids?: readonly number[] | undefined }): UserRow[] | undefined => user_ids?.map(rowOf),
  filterOf: ({ filter }: { filter?: PeopleFilter | undefined }) => filter,
  rowOfFound: rowOf,
}

export function idsOf(rows: readonly { user: UserRow }[]): number[] {
  return rows.map(({ user }) => user.user_id)
}

/** The users and their parents, each once. */
export function withParents(users: readonly { user_id: number; parent_id: number | null }[]): number[] {
  return [
    ...new Set(users.flatMap(({ user_id, parent_id }) => (parent_id === null ? [user_id] : [user_id, parent_id]))),
  ]
}
