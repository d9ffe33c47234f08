// Goal: pipelined statements are executed in the order in which they were issued, all of them or none.

import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { cloneDatabase } from '../../test/test-database.ts'
import type { Tx } from './db.ts'
import { runPipelined } from './pipelined-transaction.ts'

const database = await cloneDatabase()
await database.asOwner`create table steps (place int generated always as identity, name text unique)`
await database.asOwner`grant select, insert on steps to megalot_app`

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
    await runPipelined(database.batches, async (tx) => {
      await Promise.all([
        step(tx, expected[0]!),
        severalSteps(tx, expected.slice(1, 20)),
        step(tx, expected[20]!),
        severalSteps(tx, expected.slice(21)),
      ])
    })
    expect(await readSteps()).toEqual(expected)
  })

  test('writes nothing where one of them fails, and reports the first error', async () => {
    const before = await readSteps()
    const failing = runPipelined(database.batches, async (tx) => {
      await Promise.all([step(tx, 'new'), step(tx, before[0]!), step(tx, 'newer')])
    })
    await expect(failing).rejects.toMatchObject({ constraint: 'steps_name_key' })
    expect(await readSteps()).toEqual(before)
  })

  test('keeps its connection where one of them fails, and leaves it outside of a transaction', async () => {
    const pids = async (): Promise<number[]> => {
      const { rows } = await database.asOwner<{ pid: number }>`
        select pid from pg_stat_activity where datname = current_database() order by pid`
      return rows.map(({ pid }) => pid)
    }
    const [name] = await readSteps()
    const before = await pids()
    await expect(runPipelined(database.batches, (tx) => step(tx, name!))).rejects.toThrow('steps_name_key')
    await runPipelined(database.batches, (tx) => step(tx, 'after a failure'))
    expect(await pids()).toEqual(before)
  })

  test('refuses a statement after its end', async () => {
    const before = await readSteps()
    const left: Tx[] = []
    await runPipelined(database.batches, async (tx) => void left.push(tx))
    await expect(step(left[0]!, 'late')).rejects.toThrow('Outside of its transaction')
    expect(await readSteps()).toEqual(before)
  })

  test('contains its own statements, whatever happened to the one before', async () => {
    for (const name of ['first', 'second', 'third']) await runPipelined(database.batches, (tx) => step(tx, name))
    const failing = runPipelined(database.batches, (tx) => step(tx, 'third'))
    await expect(failing).rejects.toMatchObject({ constraint: 'steps_name_key' })
    await runPipelined(database.batches, (tx) => step(tx, 'fourth'))
    expect((await readSteps()).slice(-4)).toEqual(['first', 'second', 'third', 'fourth'])
  })
})
