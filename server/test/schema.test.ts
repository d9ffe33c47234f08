// The sources describe the database correctly: the schema dump, the column types, the constraint names and the advisory
// lock numbers.

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { approvalKinds, areas, entryKind, factorKind, officeRoles, userLevel, userStatus } from '@megalot/contract'
import { betTypeCodes, orderStatuses, resultForms } from '@megalot/rules'
import { describe, expect, test } from 'vitest'
import { advisoryLocks } from '../src/postgres/advisory-locks.ts'
import { preconditions, raisedConstraints, tableConstraints } from '../src/postgres/constraints.ts'
import { projectRoot } from '../src/lib/project-root.ts'
import { dumpSchema, schemaFile } from './schema-dump.ts'
import { createEmptyDatabase } from './test-database.ts'

const database = await createEmptyDatabase()
const sourceFolder = join(projectRoot, 'server', 'src')

test('server/schema.sql is the schema (else run npm run schema)', async () => {
  expect(await dumpSchema(database.url)).toBe(readFileSync(schemaFile, 'utf8'))
})

test('every function in PL/pgSQL sets search_path, except one that inherits it for speed', async () => {
  const { rows } = await database.asOwner<{ name: string }>`
    select proname as name from pg_proc
    where pronamespace = 'public'::regnamespace and prosqlbody is null and prokind <> 'a'
      and not exists (select 1 from unnest(proconfig) setting where setting = 'search_path=public, pg_temp')`
  expect(rows.map(({ name }) => name)).toEqual(['add_to_block'])
})

describe('postgres/tables', () => {
  /** A column as described by the sources and by the database; `values` are those a check allows. */
  interface Column {
    type: string
    isNullable: boolean
    hasDefault: boolean
    values?: readonly string[]
  }

  const folder = join(sourceFolder, 'postgres', 'tables')
  const text = readdirSync(folder)
    .map((file) => readFileSync(join(folder, file), 'utf8'))
    .join('\n')
  /** Types of the tables that are another type or a set of texts. */
  const aliases: Record<string, string> = Object.fromEntries(
    Array.from(text.matchAll(/^export type (\w+) =\s+(?:\| )?('.+?)$(?!\n {2}\|)/gms), ([, name, type]) => [
      name!,
      type!,
    ]),
  )
  const sets: Record<string, readonly string[]> = {
    UserLevel: userLevel.options,
    UserStatus: userStatus.options,
    OrderStatus: orderStatuses,
    EntryKind: entryKind.options,
    BetTypeCode: betTypeCodes,
    ResultForm: resultForms,
    ApprovalKind: approvalKinds,
    FactorKind: factorKind.options,
    OfficeRole: officeRoles,
    Area: areas,
  }

  /** A table's columns: `name: Type`, one per line or all on one line. */
  function readTables(): Map<string, Map<string, string>> {
    const body = Array.from(text.matchAll(/^export interface \w+Tables \{\n(.*?)^\}$/gms), ([, tables]) => tables!)
      .join('')
      .replaceAll(/\/\*\*.*?\*\//gs, '')
    return new Map(
      Array.from(body.matchAll(/^ {2}(\w+): \{(.*?)\}$/gms), ([, table, columns]) => [
        table!,
        new Map(
          Array.from(columns!.matchAll(/(\w+): (.+?)(?:;|$|\s\}$)/gm), ([, name, type]) => [name!, type!.trim()]),
        ),
      ]),
    )
  }

  function parseColumn(type: string): Column {
    const isNullable = type.endsWith(' | null')
    const inner = type.replace(/ \| null$/, '')
    const wrapped = /^(Generated|Kept)<(.*)>$/.exec(inner)
    const plain = wrapped?.[2] ?? inner
    return { ...readType(plain), isNullable, hasDefault: wrapped?.[1] === 'Generated' }
  }

  function readType(type: string): Pick<Column, 'type' | 'values'> {
    const known = aliases[type] ?? type
    if (known in sets) return { type: 'string', values: sets[known]!.toSorted() }
    if (known.startsWith("'"))
      return { type: 'string', values: Array.from(known.matchAll(/'([^']*)'/g), ([, value]) => value!).toSorted() }
    if (/^JSONColumnType<|^unknown$/.test(known)) return { type: 'json' }
    const element = /^(\w+)\[\]$/.exec(known)?.[1]
    return { type: element ? `${readType(element).type}[]` : known }
  }

  const typeScriptTypes: Record<string, string> = {
    bigint: 'number',
    smallint: 'number',
    integer: 'number',
    text: 'string',
    uuid: 'string',
    date: 'string',
    boolean: 'boolean',
    bytea: 'Buffer',
    json: 'json',
    jsonb: 'json',
    'timestamp with time zone': 'Date',
    'time without time zone': 'string',
    xid8: 'string',
    int8multirange: 'string',
  }

  interface ColumnRow {
    relation: string
    kind: 'r' | 'v'
    name: string
    type: string
    is_nullable: boolean
    has_default: boolean
    values: string[] | null
  }

  async function listColumns(): Promise<ColumnRow[]> {
    const { rows } = await database.asOwner<ColumnRow>`
      select relname as relation, relkind as kind, attname as name, format_type(atttypid, null) as type,
        not attnotnull as is_nullable, atthasdef or attidentity <> '' as has_default,
        (select array_agg(value[1] order by value[1] collate "C") from pg_constraint,
            regexp_matches(pg_get_constraintdef(pg_constraint.oid), '''([^'']*)''::text', 'g') value
          where conrelid = attrelid and contype = 'c' and conkey = array[attnum]
            and pg_get_constraintdef(pg_constraint.oid) like 'CHECK ((' || attname || ' = ANY (ARRAY[%') as values
      from pg_attribute join pg_class on pg_class.oid = attrelid
      where relnamespace = 'public'::regnamespace and relkind in ('r', 'v') and attnum > 0 and not attisdropped
        and relname <> 'migrations'
        -- Views for those who read beside the application.
        and not (relkind = 'v' and not has_table_privilege('megalot_app', pg_class.oid, 'select'))
      order by relname, attname`
    return rows
  }

  test('has the tables, columns, types and nullability of the database', async () => {
    const rows = await listColumns()
    const tables = readTables()
    const problems = rows.flatMap((row) => {
      const place = `${row.relation}.${row.name}`
      const written = tables.get(row.relation)?.get(row.name)
      if (written === undefined) return [`${place} is missing`]
      const column = parseColumn(written)
      const base = row.type.replace(/\[\]$/, '')
      const expected = `${typeScriptTypes[base] ?? base}${row.type.endsWith('[]') ? '[]' : ''}`
      const isWrong = [
        column.type !== expected && `is ${expected}`,
        // The catalogue reports all columns of a view as nullable.
        row.kind === 'r' && column.isNullable !== row.is_nullable && `is${row.is_nullable ? '' : ' not'} nullable`,
        column.hasDefault && !row.has_default && 'has no default',
        row.values &&
          JSON.stringify(column.values) !== JSON.stringify(row.values) &&
          `is one of ${row.values.join(', ')}`,
      ]
      return isWrong.flatMap((problem) => (problem ? [`${place}: ${written}: ${problem}`] : []))
    })
    const found = new Set(rows.map((row) => `${row.relation}.${row.name}`))
    for (const [table, columns] of tables)
      for (const name of columns.keys())
        if (!found.has(`${table}.${name}`)) problems.push(`${table}.${name} is too much`)
    expect(problems).toEqual([])
  })
})

describe('postgres/constraints.ts', () => {
  async function listSources(): Promise<string> {
    const { rows } = await database.asOwner<{ prosrc: string }>`
      select prosrc from pg_proc where pronamespace = 'public'::regnamespace`
    return rows.map(({ prosrc }) => prosrc).join('\n')
  }

  test('names constraints and unique indexes that tables have', async () => {
    const { rows } = await database.asOwner<{ name: string }>`
      select conname as name from pg_constraint where connamespace = 'public'::regnamespace
      union select relname from pg_index join pg_class on pg_class.oid = indexrelid
        where relnamespace = 'public'::regnamespace and indisunique`
    const names = new Set(rows.map(({ name }) => name))
    expect(tableConstraints.filter((name) => !names.has(name))).toEqual([])
  })

  test('names constraints that functions of the database raise', async () => {
    const raised = Array.from((await listSources()).matchAll(/constraint = '(\w+)'/g), ([, name]) => name)
    expect(raisedConstraints.filter((name) => !raised.includes(name))).toEqual([])
  })

  test('names every precondition that functions of the database assert', async () => {
    const asserted = Array.from(
      (await listSources()).matchAll(/assert_precondition\([^;]*?'(\w+)'\)/g),
      ([, name]) => name,
    )
    expect(new Set(asserted)).toEqual(new Set(preconditions))
  })
})

describe('postgres/advisory-locks.ts', () => {
  const numbers: number[] = Object.values(advisoryLocks)

  test('has the locks of the database, each number once', async () => {
    expect(new Set(numbers).size).toBe(numbers.length)
    const { rows } = await database.asOwner<{ prosrc: string }>`
      select prosrc from pg_proc
      where pronamespace = 'public'::regnamespace and prosrc like '%pg_advisory%'`
    const taken = rows.flatMap(({ prosrc }) =>
      Array.from(prosrc.matchAll(/pg_advisory_xact_lock(?:_shared)?\((\d+)/g), ([, number]) => Number(number)),
    )
    expect(taken).toHaveLength(rows.flatMap(({ prosrc }) => prosrc.match(/pg_advisory/g)!).length)
    expect(taken.filter((number) => !numbers.includes(number))).toEqual([])
  })

  test('is the only file of the sources with such a number', () => {
    const files = readdirSync(sourceFolder, { recursive: true, encoding: 'utf8' }).filter(
      (file) => file.endsWith('.ts') && !file.endsWith('.test.ts') && file !== join('postgres', 'advisory-locks.ts'),
    )
    const naming = files.filter((file) =>
      /pg_\w*advisory\w*\(\d|\b7_?361_?\d/.test(readFileSync(join(sourceFolder, file), 'utf8')),
    )
    expect(naming).toEqual([])
  })
})

test('only the module of the audit log reads it', () => {
  const files = readdirSync(sourceFolder, { recursive: true, encoding: 'utf8' }).filter(
    (file) => file.endsWith('.ts') && !file.endsWith('.test.ts'),
  )
  const reading = files.filter((file) =>
    /\b(?:from|join|selectFrom\(|Join\()\s*'?audit_log\b/i.test(readFileSync(join(sourceFolder, file), 'utf8')),
  )
  expect(reading.toSorted()).toEqual([
    'changes/audit/audit.store.ts',
    'changes/audit/decisions.store.ts',
    'changes/audit/history-expressions.ts',
  ])
})
