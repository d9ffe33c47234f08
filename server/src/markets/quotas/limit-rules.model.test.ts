// Goal: after any rules, undos and new periods each period has what the rules say, by a second implementation that reads all rules.

import type { RuleSetting } from '@megalot/contract'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { changeAs } from '../../../test/changes.ts'
import { findCaller, type TestUser } from '../../../test/nodes.ts'
import { addPeriod } from '../../../test/scenes.ts'
import { cloneDatabase } from '../../../test/test-database.ts'
import { addDays, bangkokDayOf } from '../../lib/bangkok.ts'
import { setLimitRule, undoLimitRule } from './limit-rule-changes.ts'

const product_code = 'lao-vip'
const today = bangkokDayOf(new Date())

const database = await cloneDatabase()
const office: TestUser = await findCaller(database.db, 'office01')
await database.asOwner`update periods set close_at = clock_timestamp() where product_code = ${product_code} and close_at > clock_timestamp()`

interface MadePeriod {
  period_code: string
  day: string
}

interface MadeRule {
  rule_id: number
  numbers: readonly string[]
  set_to: RuleSetting
  /** Null: every period until the last day. */
  period_code: string | null
  until_date: string | null
  isUndone: boolean
}

type Action =
  | { action: 'period'; days: number }
  | { action: 'rule'; numbers: readonly string[]; set_to: RuleSetting; days: number | null; place: number }
  | { action: 'undo' | 'past'; rule: number }

const numbers = fc.subarray(['12', '13', '77'], { minLength: 1 })
const set_to = fc.constantFrom<RuleSetting[]>('open', 'half', 'closed')
const actions: fc.Arbitrary<Action> = fc.oneof(
  {
    weight: 2,
    arbitrary: fc.record({ action: fc.constant('period' as const), days: fc.integer({ min: -1, max: 3 }) }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      action: fc.constant('rule' as const),
      numbers,
      set_to,
      days: fc.option(fc.integer({ min: 0, max: 3 })),
      // Mostly for every period.
      place: fc.integer({ min: -8, max: 3 }),
    }),
  },
  { weight: 3, arbitrary: fc.record({ action: fc.constantFrom('undo' as const, 'past' as const), rule: fc.nat(9) }) },
)

class House {
  readonly #periods: MadePeriod[] = []
  readonly #rules: MadeRule[] = []

  async run(action: Action): Promise<void> {
    if (action.action === 'period') await this.#addPeriod(addDays(today, action.days))
    else if (action.action === 'rule') await this.#setRule(action)
    else {
      const rule = this.#rules.filter(({ isUndone }) => !isUndone)[action.rule]
      if (rule && action.action === 'undo') await this.#undo(rule)
      if (rule && action.action === 'past') await this.#letPass(rule)
    }
  }

  /** What the last rule of each kind says; a rule for the period goes before the others. */
  listExpected(): Record<string, Record<string, string>> {
    return Object.fromEntries(
      this.#periods.map(({ period_code, day }) => {
        const inForce = this.#rules.filter(
          (rule) =>
            !rule.isUndone &&
            (rule.period_code === null ? (rule.until_date ?? day) >= day : rule.period_code === period_code),
        )
        const lastFirst = inForce
          .toSorted((one, other) => other.rule_id - one.rule_id)
          .toSorted((one, other) => Number(one.period_code === null) - Number(other.period_code === null))
        const says = ['12', '13', '77'].map((number) => [
          number,
          lastFirst.find((rule) => rule.numbers.includes(number))?.set_to ?? 'open',
        ])
        return [period_code, Object.fromEntries(says.filter(([, set_to]) => set_to !== 'open'))]
      }),
    )
  }

  async listStates(): Promise<Record<string, Record<string, string>>> {
    const { rows } = await database.asOwner<{ period_code: string; settings: Record<string, string> }>`
      select period_code, coalesce(json_object_agg(quota_key, set_to) filter (where set_to <> 'open'), '{}') as settings
      from periods left join number_settings using (period_id)
      where period_code = any (${this.#periods.map(({ period_code }) => period_code)}::text[]) group by 1`
    return Object.fromEntries(rows.map(({ period_code, settings }) => [period_code, settings]))
  }

  /** The periods and rules of a case are none of the next one. */
  async leave(): Promise<void> {
    for (const rule of this.#rules.filter(({ isUndone }) => !isUndone)) await this.#undo(rule)
    await database.asOwner`update periods set close_at = clock_timestamp() where period_code = any (${this.#periods.map(({ period_code }) => period_code)}::text[])`
  }

  async #addPeriod(day: string): Promise<void> {
    const hoursAway = (hours: number) => new Date(Date.now() + hours * 3_600_000)
    const times = { open_at: hoursAway(-1), close_at: hoursAway(48), draw_at: hoursAway(49) }
    this.#periods.push({ day, period_code: (await addPeriod(database.owner, product_code, day, times)).period_code })
  }

  async #setRule({ numbers, set_to, days, place }: Extract<Action, { action: 'rule' }>): Promise<void> {
    const period = this.#periods[place]
    const until_date = period || days === null ? null : addDays(today, days)
    const set = await changeAs(database.db, office.actor_id, setLimitRule, {
      target: period ? { period_codes: [period.period_code] } : { product_codes: [product_code], until_date },
      bet_types: ['2top'],
      numbers: [...numbers],
      value: { set_to, full_satang: null, half_satang: null },
      reason: 'many bets',
    })
    const period_code = period?.period_code ?? null
    this.#rules.push({ rule_id: set!.rule_id!, numbers, set_to, period_code, until_date, isUndone: false })
  }

  async #undo(rule: MadeRule): Promise<void> {
    await changeAs(database.db, office.actor_id, undoLimitRule, { rule_id: rule.rule_id, reason: 'a mistake' })
    rule.isUndone = true
  }

  /** As after its last day, when no period of these days is made any more. */
  async #letPass(rule: MadeRule): Promise<void> {
    if (rule.period_code !== null) return
    const past = addDays(today, -1 - (rule.rule_id % 2))
    await database.asOwner`update limit_rules set until_date = ${past} where rule_id = ${rule.rule_id}`
    await database.asOwner`
      select apply_limit_rules(array_agg(period_id), ${rule.numbers.map(() => '2top')}::text[], ${[...rule.numbers]}::text[])
      from periods where period_code = any (${this.#periods.map(({ period_code }) => period_code)}::text[])
      having count(*) > 0`
    rule.until_date = past
  }
}

test('a period has what the last rules say, whether it is older than these or newer', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(actions, { minLength: 4, maxLength: 14 }), async (all) => {
      const house = new House()
      for (const action of all) await house.run(action)
      expect(await house.listStates()).toEqual(house.listExpected())
      await house.leave()
    }),
    { numRuns: 30 },
  )
})
