// The copy of everything that is stored about a person, as JSON: one list of rows for each table.

import { type RawBuilder, sql } from 'kysely'
import * as z from 'zod/mini'
import { defineChange } from '../../changes/index.ts'
import type { Db } from '../../postgres/db.ts'
import { Refusal } from '../../lib/refusal.ts'
import { getAccessibleUser } from '../accounts/index.ts'
import { columnsIn, type PersonalTable, personalTables } from './personal-columns.ts'

/** Records that the caller takes its own copy. */
export const exportOwnData = defineChange({
  name: 'export_own_data',
  needs: null,
  input: z.strictObject({}),
  locks: () => [],
  load: async () => null,
  decide: (_state, _input, { caller }) => ({
    plan: caller.actor_id,
    rows: [{ subject: `user:${caller.actor_id}` }],
  }),
  write: async (_at, user_id) => ({ outcome: user_id }),
})

/**
 * Records that an operator takes the copy of a member or an agent, to hand it over.
 * @throws Refusal not_found; not_allowed for office users, who take their own
 */
export const exportPersonData = defineChange({
  name: 'export_person_data',
  needs: 'people.do',
  input: z.strictObject({ user_id: z.int() }),
  async find(db, { user_id }, caller) {
    const { is_office } = await getAccessibleUser(db, caller, user_id)
    if (is_office) throw new Refusal('not_allowed')
  },
  locks: () => [],
  load: async () => null,
  decide: (_state, { user_id }) => ({ plan: user_id, rows: [{ subject: `user:${user_id}` }] }),
  write: async (_at, user_id) => ({ outcome: user_id }),
})

/** Rows that one statement reads. A ticket may have thousands of items. */
const PART_ROWS = 100

/**
 * The file's text, read part by part, so that a slow reader holds no connection. Rows that are written meanwhile may be
 * missing.
 */
export async function* writePersonalData(db: Db, user_id: number): AsyncGenerator<string> {
  yield `{"user_id":${user_id},"made_at":${JSON.stringify(new Date())}`
  for (const [name, table] of Object.entries(personalTables)) {
    yield `,\n"${name}":[`
    let isFirst = true
    for await (const rows of readRows(db, name, table, user_id)) {
      if (rows.length === 0) continue
      yield (isFirst ? '\n' : ',\n') + rows.map((row) => JSON.stringify(row)).join(',\n')
      isFirst = false
    }
    yield ']'
  }
  yield '\n}\n'
}

type Row = Record<string, unknown>

async function* readRows(db: Db, name: string, table: PersonalTable, user_id: number): AsyncGenerator<Row[]> {
  const { given, nested = {}, rows: condition = 'user_id = :person', part_by } = table
  const columns = [
    ...columnsIn(given).map((column) => sql.ref(column)),
    ...Object.entries(nested).map(([column, text]) => sql`${sql.raw(text)} as ${sql.ref(column)}`),
  ]
  const select = sql`select ${sql.join(columns)} from ${sql.table(name)}`
  if (part_by === undefined) {
    yield (await sql<Row>`${select} where ${fill(condition, { person: user_id })}`.execute(db)).rows
    return
  }
  const key = sql.ref(part_by)
  for (let after = 0; ;) {
    const where = fill(condition, { person: user_id, after, part: PART_ROWS })
    const { rows } = await sql<Row>`
      ${select} where ${where} and ${key} > ${after} order by ${key} limit ${PART_ROWS}`.execute(db)
    yield rows
    if (rows.length < PART_ROWS) return
    after = Number(rows.at(-1)![part_by])
  }
}

/** SQL with its named values, which are numbers. */
function fill(text: string, values: Readonly<Record<string, number>>): RawBuilder<unknown> {
  return sql.raw(text.replaceAll(/:([a-z]+)\b/g, (_, name: string) => `${values[name]!}`))
}
