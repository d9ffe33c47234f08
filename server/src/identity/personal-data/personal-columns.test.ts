// Goal: no column is added to the database without a decision whether a person gets it in a copy, and what erasing does.

import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import { createEmptyDatabase, type TestDatabase } from '../../../test/test-database.ts'
import { actorColumns, columnsIn, derivedTables, personalTables, tablesWithoutPersons } from './personal-columns.ts'

let database: TestDatabase

beforeAll(async () => {
  database = await createEmptyDatabase()
})

async function readColumns(): Promise<Map<string, string[]>> {
  const { rows } = await sql<{ name: string; columns: string[] }>`
    select table_name as name, json_agg(column_name order by ordinal_position) as columns
    from information_schema.columns join information_schema.tables using (table_schema, table_name)
    where table_schema = 'public' and table_type = 'BASE TABLE' group by table_name order by table_name`.execute(
    database.owner,
  )
  return new Map(rows.map(({ name, columns }) => [name, columns]))
}

test('every table is listed once, and every column of one with data about a person', async () => {
  const columns = await readColumns()
  const listed = [...Object.keys(personalTables), ...derivedTables, ...tablesWithoutPersons]
  expect(listed.toSorted()).toEqual([...columns.keys()].toSorted())
  for (const [name, { given, withheld }] of Object.entries(personalTables))
    expect([name, [...columnsIn(given), ...columnsIn(withheld)].toSorted()]).toEqual([
      name,
      columns.get(name)!.toSorted(),
    ])
})

test('what erasing overwrites is a column', async () => {
  const columns = await readColumns()
  const overwritten = Object.entries(personalTables).flatMap(([name, { erased }]) =>
    typeof erased === 'object' ? columnsIn(erased.columns).map((column) => [name, column] as const) : [],
  )
  expect(overwritten.filter(([name, column]) => !columns.get(name)!.includes(column))).toEqual([])
})

test('a table without persons refers to users only as those who acted', async () => {
  const { rows } = await sql<{ name: string }>`
    select key.table_name || '.' || key.column_name as name
    from information_schema.key_column_usage key
      join information_schema.constraint_column_usage used using (constraint_schema, constraint_name)
    where used.table_name = 'users' and key.table_schema = 'public'`.execute(database.owner)
  const withPersons = new Set<string>(Object.keys(personalTables))
  const others = rows.map(({ name }) => name).filter((name) => !withPersons.has(name.split('.')[0]!))
  const derived = others.filter((name) => name.endsWith('.user_id'))
  expect(others.filter((name) => !derived.includes(name)).toSorted()).toEqual([...actorColumns].toSorted())
  for (const name of derived) expect(derivedTables).toContain(name.split('.')[0])
})
