// Creates many members in one call. Each is the change `createPerson` of its own: a refused row does not stop the others.

import { createHash } from 'node:crypto'
import type { createMembers as route, NewMemberOutcome } from '@megalot/contract'
import type * as z from 'zod/mini'
import { carryOut, type ChangeCaller, previewChange } from '../../changes/index.ts'
import { Refusal } from '../../lib/refusal.ts'
import type { Db } from '../../postgres/db.ts'
import { createPerson } from './new-person.service.ts'

type NewMembers = z.output<typeof route.body>
type NewMember = NewMembers['rows'][number]

/** Creates members in their order; a repeat creates those who are missing. */
export async function createMembers(
  db: Db,
  caller: ChangeCaller,
  { request_id, parent_id, rows }: NewMembers,
): Promise<NewMemberOutcome[]> {
  return decideEach(rows, async (row) => {
    const own_id = idOfRow(request_id, row.username)
    return (await carryOut(db, createPerson, { caller, input: inputOf(row, parent_id), request_id: own_id }))!
  })
}

/** What `createMembers` would do now. A row gets what earlier rows leave of the parent's credit. */
export async function previewMembers(
  db: Db,
  caller: ChangeCaller,
  { parent_id, rows }: NewMembers,
): Promise<NewMemberOutcome[]> {
  // A preview writes nothing, so it needs no recent factor.
  const reader = { ...caller, has_factor: false }
  const names = new Set<string>()
  let given_satang = 0
  return decideEach(rows, async (row) => {
    if (names.has(row.username.toLowerCase())) throw new Refusal('username_taken')
    const credit_limit_satang = row.credit_limit_satang === 0 ? 0 : given_satang + row.credit_limit_satang
    await previewChange(db, createPerson, {
      caller: reader,
      input: inputOf({ ...row, credit_limit_satang }, parent_id),
    })
    names.add(row.username.toLowerCase())
    given_satang += row.credit_limit_satang
    return null
  })
}

async function decideEach(
  rows: readonly NewMember[],
  decide: (row: NewMember) => Promise<number | null>,
): Promise<NewMemberOutcome[]> {
  const outcomes: NewMemberOutcome[] = []
  for (const row of rows) {
    const { username } = row
    try {
      outcomes.push({ username, user_id: await decide(row), code: 'ok', details: {} })
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      outcomes.push({ username, user_id: null, code: error.code, details: error.details ?? {} })
    }
  }
  return outcomes
}

function inputOf(row: NewMember, parent_id: number | undefined) {
  return { level: 'member' as const, ...row, ...(parent_id !== undefined && { parent_id }) }
}

/** A row's own request id, so that a repeated call finds what it has made. */
function idOfRow(request_id: string, username: string): string {
  const hash = createHash('sha256').update(`${request_id} ${username.toLowerCase()}`).digest('hex')
  return [
    hash.slice(0, 8),
    hash.slice(8, 12),
    `4${hash.slice(13, 16)}`,
    `8${hash.slice(17, 20)}`,
    hash.slice(20, 32),
  ].join('-')
}
