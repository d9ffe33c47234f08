// Goal: no step of reading the audit log grows with the size of its rows: a statement, a part of the list and a file end by bytes as well.

import type { KyselyPlugin } from 'kysely'
import { expect, test } from 'vitest'
import { findCaller, type TestUser } from '../../../test/nodes.ts'
import { cloneDatabase, type TestDatabase } from '../../../test/test-database.ts'
import { exportAudit, listAudit, verifyAuditChain } from './audit-reader.service.ts'
import { writeAudits } from './index.ts'

/** Alike, as the numbers of rules are: stored they take a thirtieth. */
const LARGE_BYTES = 150_000
const LARGE_ROWS = 80
const content = (bytes: number) => ({ numbers: Array.from({ length: bytes / 100 }, (_, at) => String(at).padEnd(96)) })

const database = await cloneDatabase()
const office: TestUser = await findCaller(database.db, 'office01')
const record = (action: string, bytes: number) => {
  const { numbers } = content(bytes / 2)
  return { actor_id: office.user_id, action, subject: 'test', before: { numbers }, after: { numbers } }
}
await writeAudits(
  database.db,
  Array.from({ length: 1_200 }, () => record('small', 200)),
)
for (let at = 0; at < LARGE_ROWS; at += 20)
  await writeAudits(
    database.db,
    Array.from({ length: 20 }, () => record('large', LARGE_BYTES)),
  )
await writeAudits(database.db, [record('huge', 4_000_000), record('huge', 4_000_000), record('small', 200)])

interface Read {
  row_count: number
  bytes: number
}

/** What each statement returns that returns contents. */
async function countStatements(read: (db: TestDatabase['db']) => Promise<unknown>): Promise<Read[]> {
  const statements: Read[] = []
  const plugin: KyselyPlugin = {
    transformQuery: ({ node }) => node,
    transformResult: async ({ result }) => {
      const isOfContent = result.rows.some((row) => 'fields' in row || 'before' in row)
      if (isOfContent) statements.push({ row_count: result.rows.length, bytes: JSON.stringify(result.rows).length })
      return result
    },
  }
  await read(database.db.withPlugin(plugin))
  return statements
}

const rowsOf = (statements: readonly Read[]) => statements.reduce((sum, { row_count }) => sum + row_count, 0)

// Defect: a statement read 5,000 rows, and was cancelled after its ten seconds where they were large.
test('a verification reads large rows in more statements', async () => {
  const { head } = await verifyAuditChain(database.db)
  const statements = await countStatements(async (db) => {
    expect(await verifyAuditChain(db)).toMatchObject({ problems: [], row_count: head.chain_no })
  })
  expect(rowsOf(statements)).toBe(head.chain_no)
  expect(Math.max(...statements.map(({ row_count }) => row_count))).toBe(250)
  const ofMany = statements.filter(({ row_count }) => row_count > 1)
  // 2 MB, and quotes of JSON.
  expect(Math.max(...ofMany.map(({ bytes }) => bytes))).toBeLessThan(2_200_000)
  expect(statements.length).toBeGreaterThan((LARGE_ROWS * LARGE_BYTES) / 2_200_000)
})

// Defect: fifty large rows made a reply of 7 MB, 60 to 90 ms of the event loop.
test('parts of the list are short where rows are large, and fit together', async () => {
  const seen: number[] = []
  const sizes: number[] = []
  let before: number | undefined
  do {
    const { data, top_level } = await listAudit(database.db, office, { subject: 'test' }, { limit: 100, before })
    seen.push(...data.map(({ chain_no }) => chain_no))
    sizes.push(data.length)
    before = top_level.next_before ?? undefined
  } while (before !== undefined && sizes.length < 100)
  const newest = Math.max(...seen)
  expect(seen).toEqual(Array.from({ length: LARGE_ROWS + 1_203 }, (_, at) => newest - at))
  // The small row, two huge ones, large ones, and small ones.
  expect(sizes.slice(0, 3)).toEqual([1, 1, 1])
  expect(new Set(sizes.slice(3, 13))).toEqual(new Set([6]))
  expect(sizes.slice(-2, -1)).toEqual([100])
})

// Defect: a file of 10,000 rows, 1,000 of them read at once, took 1.8 GB of memory and blocked the event loop for 7.9 s.
test('a file ends by its size, is read in parts, and says that there is more', async () => {
  let text = ''
  const statements = await countStatements(async (db) => {
    ;({ text } = await exportAudit(db, office, { action: 'large' }, 'en'))
  })
  const lines = text.trimEnd().split('\r\n')
  expect(lines.at(-1)).toBe('There is more: choose fewer days')
  expect(lines.slice(1, -1)).toHaveLength(rowsOf(statements))
  expect(text.length).toBeGreaterThan(8_000_000)
  expect(text.length).toBeLessThan(9_500_000)
  expect(Math.max(...statements.map(({ bytes }) => bytes))).toBeLessThan(1_300_000)
})

test('a file of small rows holds all of them', async () => {
  const statements = await countStatements(async (db) => {
    const { text } = await exportAudit(db, office, { action: 'small' }, 'en')
    const lines = text.trimEnd().split('\r\n')
    expect(lines).toHaveLength(1 + 1_201)
  })
  expect(statements.map(({ row_count }) => row_count)).toEqual([200, 200, 200, 200, 200, 200, 1])
})
