// Goal: standing rules on many numbers of a market with many rounds do not keep its periods from being made.

import type { BetTypeCode } from '@megalot/rules'
import { type KyselyPlugin } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import { changeAs } from '../../../test/changes.ts'
import { findCaller, type TestUser } from '../../../test/nodes.ts'
import { cloneDatabase, type TestDatabase } from '../../../test/test-database.ts'
import { addDays } from '../../lib/bangkok.ts'
import { makePeriods } from '../index.ts'
import { setLimitRule, undoLimitRule } from './limit-rule-changes.ts'
import { readToday } from './limit-rules.store.ts'

let database: TestDatabase
let office: TestUser

beforeEach(async () => {
  database = await cloneDatabase()
  office = await findCaller(database.db, 'office01')
})

const numbersOf = (digits: number, count: number): string[] =>
  Array.from({ length: count }, (_, number) => String(number).padStart(digits, '0'))

function close(bet_types: BetTypeCode[], numbers: string[]) {
  return changeAs(database.db, office.actor_id, setLimitRule, {
    target: { product_codes: ['yeekee'], until_date: null },
    bet_types,
    numbers,
    value: { set_to: 'closed', full_satang: null, half_satang: null },
    reason: 'many bets',
  })
}

async function removeUnopened(): Promise<void> {
  await database.asOwner`delete from periods where product_code = 'yeekee' and open_at > clock_timestamp()`
}

/** A rule on all numbers of three digits, as several calls would write it. */
async function closeAllThreeDigits(): Promise<void> {
  await database.asOwner`
    with rule as (
      insert into limit_rules (actor_id, set_to, is_standing, product_codes, period_ids, numbers)
      values (${office.actor_id}, 'closed', true, '{yeekee}', '{}', '[]') returning rule_id
    )
    insert into limit_rule_rows (rule_id, product_code, bet_type, quota_key)
    select rule_id, 'yeekee', '3top', lpad(number::text, 3, '0') from rule, generate_series(0, 999) number`
}

// Defect: each call was bounded alone. With 1,200 numbers no statement made the periods of the market in time, its timetable could not be
// changed, and it could not be switched on.
test('of one market have a bound for all rules together', async () => {
  await closeAllThreeDigits()
  await close(['2top'], numbersOf(2, 50))
  const [before] = await countRules()
  await expect(close(['2top', '2bottom'], numbersOf(2, 100))).rejects.toMatchObject({
    code: 'too_many_standing_numbers',
    details: { product_code: 'yeekee' },
  })
  expect(await countRules()).toEqual([before])
})

// Defect: a market that was switched off had few periods ahead, and any rule was short enough for it.
test('are bounded by the periods that the market is to have, whether they are made or not', async () => {
  await removeUnopened()
  await expect(close(['3top'], numbersOf(3, 600))).rejects.toMatchObject({ code: 'limit_rule_too_long' })
})

// Defect: all periods of a market were made by one statement, which was cancelled after ten seconds, each time again.
test('are written with fifty periods a statement', async () => {
  await removeUnopened()
  await close(['2top'], numbersOf(2, 3))
  const lengths: number[] = []
  const counting: KyselyPlugin = {
    transformQuery: ({ node }) => {
      if (node.kind === 'InsertQueryNode' && node.values?.kind === 'ValuesNode')
        lengths.push((node.values as unknown as { values: unknown[] }).values.length)
      return node
    },
    transformResult: async ({ result }) => result,
  }
  await makePeriods(database.db.withPlugin(counting))
  expect(lengths.length).toBeGreaterThan(10)
  expect(Math.max(...lengths)).toBe(50)
  const { rows } = await database.asOwner<{ settings: number; periods: number }>`
    select count(*)::int as settings, count(distinct period_id)::int as periods
    from number_settings join periods using (period_id) where product_code = 'yeekee' and open_at > clock_timestamp()`
  expect(rows[0]!.periods).toBeGreaterThan(500)
  expect(rows[0]!.settings).toBe(3 * rows[0]!.periods)
})

/** Twenty rules on all numbers of three digits, as the calls of a day would write them. */
async function closeAllTwentyTimes(until_date: string): Promise<void> {
  await database.asOwner`
    with rule as (
      insert into limit_rules (actor_id, set_to, is_standing, until_date, product_codes, period_ids, numbers)
      select ${office.actor_id}, 'closed', true, ${until_date}, '{yeekee}', '{}', '[]' from generate_series(1, 20) returning rule_id
    )
    insert into limit_rule_rows (rule_id, product_code, bet_type, quota_key)
    select rule_id, 'yeekee', '3top', lpad(number::text, 3, '0') from rule, generate_series(0, 999) number`
}

const countInForce = async (): Promise<number> => {
  const { rows } = await database.asOwner<{ count: number }>`
    select count(*)::int as count from limit_rule_rows where not is_over`
  return rows[0]!.count
}

// Defect: 130 rules on the same thousand numbers kept the market from being switched on: each new period read all of them.
test('of one market have a bound for the rules that lie one above the other', async () => {
  await removeUnopened()
  await closeAllTwentyTimes(await readToday(database.db))
  await expect(close(['2top'], ['12'])).rejects.toMatchObject({
    code: 'too_many_standing_rules',
    details: { product_code: 'yeekee' },
  })
  const { rows } = await database.asOwner<{ rule_id: number }>`select rule_id from limit_rules limit 1`
  const undo = { rule_id: rows[0]!.rule_id, reason: 'not needed' }
  await changeAs(database.db, office.actor_id, undoLimitRule, undo)
  expect(await countInForce()).toBe(19_000)
  await close(['2top'], ['12'])
})

// Defect: rules that were over went on counting and being read.
test('do not count, and are not read, once their last day is past', async () => {
  await removeUnopened()
  await closeAllTwentyTimes(addDays(await readToday(database.db), -2))
  await close(['2top'], ['12'])
  expect(await countInForce()).toBe(1)
})

async function countRules() {
  const { rows } = await database.asOwner<{ rules: number; numbers: number }>`
    select (select count(*)::int from limit_rules) as rules, (select count(*)::int from limit_rule_rows) as numbers`
  return rows
}
