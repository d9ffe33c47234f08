// Goal: pipelined statements are executed in the order in which they were issued, all of them or none.

import { sql } from 'kysely'
import { beforeAll, describe, expect, test, vi } from 'vitest'
import { cloneDatabase, type TestDatabase } from '../../test/test-database.ts'
import { readClock, type Tx } from './db.ts'
import { runPipelined } from './pipelined-transaction.ts'

let database: TestDatabase

beforeAll(async () => {
  database = await cloneDatabase()
  await sql`create table steps (place int generated always as identity, name text unique)`.execute(database.owner)
  await sql`grant select, insert on steps to megalot_app`.execute(database.owner)
})

async function step(tx: Tx, name: string): Promise<void> {
  await sql`insert into steps (name) values (${name})`.execute(tx)
}

async function readSteps(): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`select name from steps order by place`.execute(database.db)
  return rows.map(({ name }) => name)
}

/** Issues statements as a batch does: some directly, some from functions that issue several. */
async function severalSteps(tx: Tx, names: readonly string[]): Promise<void> {
  await Promise.all(names.map((name) => step(tx, name)))
}

describe('a pipelined transaction', () => {
  test('executes statements in order, however deeply nested they are issued', async () => {
    const expected = Array.from({ length: 40 }, (_each, index) => `step ${index}`)
    await runPipelined(database.batches, async (tx, commit) => {
      await Promise.all([
        step(tx, expected[0]!),
        severalSteps(tx, expected.slice(1, 20)),
        step(tx, expected[20]!),
        severalSteps(tx, expected.slice(21)),
        commit(),
      ])
    })
    expect(await readSteps()).toEqual(expected)
  })

  test('writes nothing where one of them fails, and reports the first error', async () => {
    const before = await readSteps()
    const failing = runPipelined(database.batches, async (tx, commit) => {
      await Promise.all([step(tx, 'new'), step(tx, before[0]!), step(tx, 'newer'), commit()])
    })
    await expect(failing).rejects.toMatchObject({ constraint: 'steps_name_key' })
    expect(await readSteps()).toEqual(before)
  })

  test('keeps its connection where one of them fails, whether the commit was sent with it or not', async () => {
    const pids = async (): Promise<number[]> => {
      const { rows } = await sql<{ pid: number }>`
        select pid from pg_stat_activity where datname = current_database() order by pid`.execute(database.owner)
      return rows.map(({ pid }) => pid)
    }
    const [name] = await readSteps()
    const before = await pids()
    const together = runPipelined(database.batches, (tx, commit) => Promise.all([step(tx, name!), commit()]))
    await expect(together).rejects.toMatchObject({ constraint: 'steps_name_key' })
    await expect(runPipelined(database.batches, (tx) => step(tx, name!))).rejects.toThrow('steps_name_key')
    await runPipelined(database.batches, (tx) => step(tx, 'after a failure'))
    expect(await pids()).toEqual(before)
  })

  test('refuses a statement after its commit', async () => {
    const before = await readSteps()
    const late = runPipelined(database.batches, async (tx, commit) => {
      await commit()
      await step(tx, 'late')
    })
    await expect(late).rejects.toThrow('Outside of its transaction')
    expect(await readSteps()).toEqual(before)
  })
})

describe('the next transaction', () => {
  /** The connections of batches that are inside a transaction. */
  async function countPreBegun(): Promise<number> {
    const { rows } = await sql<{ count: number }>`
      select count(*) from pg_stat_activity
      where datname = current_database() and state = 'idle in transaction'`.execute(database.owner)
    return rows[0]!.count
  }

  /** Whether the next transaction was pre-begun. */
  async function isPreBegun(): Promise<boolean> {
    const requestedAt = await readClock(database.owner)
    return runPipelined(database.batches, async (tx) => {
      const { rows } = await sql<{ isEarlier: boolean }>`select now() < ${requestedAt} as "isEarlier"`.execute(tx)
      return rows[0]!.isEarlier
    })
  }

  // A pre-begun transaction exists only for a moment, and a busy machine may check too late: then the check is
  // repeated.

  test('is pre-begun, and used by the next call', async () => {
    await vi.waitUntil(isPreBegun)
    await vi.waitUntil(async () => (await countPreBegun()) === 0)
    expect(await isPreBegun()).toBe(false)
  })

  test('is rolled back when it is not used', async () => {
    await vi.waitUntil(async () => {
      await runPipelined(database.batches, async () => {})
      return (await countPreBegun()) === 1
    })
    await expect.poll(countPreBegun).toBe(0)
  })

  test('contains its own statements, whatever happened to the one before', async () => {
    for (const name of ['first', 'second', 'third']) await runPipelined(database.batches, (tx) => step(tx, name))
    const failing = runPipelined(database.batches, (tx, commit) => Promise.all([step(tx, 'third'), commit()]))
    await expect(failing).rejects.toMatchObject({ constraint: 'steps_name_key' })
    await runPipelined(database.batches, (tx) => step(tx, 'fourth'))
    expect((await readSteps()).slice(-4)).toEqual(['first', 'second', 'third', 'fourth'])
  })

  test('is begun again where its connection was lost', async () => {
    await vi.waitUntil(async () => {
      await runPipelined(database.batches, async () => {})
      const { rows } = await sql`
        select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and state = 'idle in transaction'`.execute(database.owner)
      return rows.length === 1
    })
    await vi.waitUntil(async () => {
      await runPipelined(database.batches, (tx, commit) => Promise.all([step(tx, 'after'), commit()])).catch(() => {})
      return (await readSteps()).includes('after')
    })
    expect((await readSteps()).filter((name) => name === 'after')).toHaveLength(1)
  })
})
