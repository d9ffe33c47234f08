// Goal: the database stores no result that the rules do not accept for any market.

import { checkDrawResult, type DrawResult, resultForms } from '@megalot/rules'
import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import { startTwoPeople } from '../../../test/approvals.ts'
import { findCaller } from '../../../test/nodes.ts'
import { holdDraw, makeResult, openPeriod, settleWith } from '../../../test/scenes.ts'
import type { TestApp } from '../../../test/test-app.ts'
import { closePeriod } from '../markets/index.ts'

let app: TestApp

beforeAll(async () => {
  ;({ app } = await startTwoPeople())
})

const whole = makeResult('123')
const short: DrawResult = { top3: '123', bottom2: '45' }
const four = ['111', '222', '333', '444']

const results: [string, DrawResult][] = [
  ['of the Thai government lottery', whole],
  ['of a draw before there were front numbers', { ...short, first_prize: '000123', back3: four }],
  ['of a draw with no front numbers', { ...short, first_prize: '000123', front3: [], back3: four }],
  ['of other markets', short],
  ['of a market with a number of four digits', { ...short, bottom2: '01', first_prize: '0123' }],
  ['of a market with a number of six digits', { ...short, bottom2: '01', first_prize: '990123' }],
  ['of a market with a number of five digits and two of another prize', { ...short, first_prize: '00123' }],
  ['with equal numbers', { ...whole, front3: ['111', '111'] }],
]

const others: [string, unknown][] = [
  ['nothing', {}],
  ['a list', []],
  ['a text', '123'],
  ['a number', 123],
  ['a boolean', true],
  ['null', null],
  ['no three digits', { bottom2: '45' }],
  ['a number for three digits', { ...short, top3: 123 }],
  ['a list for three digits', { ...short, top3: ['123'] }],
  ['four digits for three', { ...short, top3: '1234' }],
  ['digits and a line end', { ...short, top3: '123\n' }],
  ['digits of another script', { ...short, top3: '๑๒๓' }],
  ['no two digits', { top3: '123' }],
  ['three digits for two', { ...short, bottom2: '456' }],
  ['a first prize of five digits', { ...whole, first_prize: '00123' }],
  ['a first prize that ends otherwise', { ...whole, first_prize: '000124' }],
  ['null as first prize', { ...short, first_prize: null }],
  ['a number of three digits', { ...short, first_prize: '123' }],
  ['a number of seven digits', { ...short, bottom2: '01', first_prize: '9990123' }],
  ['a number of four digits that begins otherwise', { ...short, first_prize: '0123' }],
  ['a number of six digits with other two digits', { ...short, first_prize: '000123' }],
  ['a number of five digits that ends otherwise', { ...short, first_prize: '00124' }],
  ['front and back numbers without a first prize', { ...short, front3: ['111', '222'], back3: ['333', '444'] }],
  ['one front number', { ...whole, front3: ['111'] }],
  ['three front numbers', { ...whole, front3: ['111', '222', '333'] }],
  ['no back numbers', { ...short, first_prize: '000123', front3: ['111', '222'] }],
  ['two front and four back numbers', { ...whole, back3: four }],
  ['two back numbers alone', { ...short, first_prize: '000123', back3: ['333', '444'] }],
  ['a front number of two digits', { ...whole, front3: ['11', '222'] }],
  ['a number among front numbers', { ...whole, front3: [111, '222'] }],
  ['two numbers in one text', { ...whole, front3: ['111", "222'] }],
  ['a text for front numbers', { ...whole, front3: '111' }],
]

/** Whether the rules accept it for any market. */
function isAccepted(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  return resultForms.some((form) => checkDrawResult(value as DrawResult, form).length === 0)
}

async function isResult(value: unknown): Promise<boolean> {
  const { rows } = await sql<{ is_result: boolean }>`
    select is_result(${JSON.stringify(value)}::jsonb)`.execute(app.db)
  return rows[0]!.is_result
}

test.each(results)('a result %s is one for the rules and the database', async (_name, result) => {
  expect([isAccepted(result), await isResult(result)]).toEqual([true, true])
})

test.each(others)('%s is no result for the rules and the database', async (_name, value) => {
  expect([isAccepted(value), await isResult(value)]).toEqual([false, false])
})

test.each<[string, unknown]>([
  ['another key', { ...whole, other: '1' }],
  ['null as front numbers', { ...short, front3: null }],
])('%s, which no route accepts, is no result for the database', async (_name, value) => {
  expect(await isResult(value)).toBe(false)
})

// Defect: a stored result that the rules could not read was agreed; its period was settled by no attempt, neither reset nor corrected.
describe('a result that the rules cannot read', () => {
  test.each(['result', 'repeated_result'])('is not stored as %s of a period', async (column) => {
    const period_code = await openPeriod(app.owner)
    await closePeriod(app.db, null, period_code, 'early')
    await holdDraw(app.owner, period_code)
    const { user_id } = await findCaller(app.db, 'office01')
    const { user_id: other } = await findCaller(app.db, 'office02')
    const given = { result: whole as object, repeated_result: whole as object, [column]: {} }
    const stored = sql`
      insert into awards (period_id, state, result, entered_by, repeated_by, repeated_result)
      select period_id, 'locked', ${JSON.stringify(given.result)}::jsonb, ${user_id}, ${other},
        ${JSON.stringify(given.repeated_result)}::jsonb from periods where period_code = ${period_code}`
    await expect(stored.execute(app.owner)).rejects.toMatchObject({ constraint: 'awards_are_results' })
  })

  test.each(['old_result', 'new_result', 'repeated_result'])('is not stored as %s of a correction', async (column) => {
    const period_code = await openPeriod(app.owner)
    await settleWith(app, period_code, whole)
    const { user_id } = await findCaller(app.db, 'office01')
    const { user_id: other } = await findCaller(app.db, 'office02')
    const another = makeResult('456')
    const given = { old_result: whole as object, new_result: another as object, repeated_result: another as object }
    const changed = { ...given, [column]: {} }
    const stored = sql`
      insert into award_corrections (period_id, round, state, old_result, new_result, reason, entered_by, repeated_by, repeated_result)
      select period_id, 1, 'locked', ${JSON.stringify(changed.old_result)}::jsonb, ${JSON.stringify(changed.new_result)}::jsonb,
        'made up', ${user_id}, ${other}, ${JSON.stringify(changed.repeated_result)}::jsonb
      from periods where period_code = ${period_code}`
    await expect(stored.execute(app.owner)).rejects.toMatchObject({ constraint: 'corrections_are_results' })
  })
})
