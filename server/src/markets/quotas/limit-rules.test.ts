// Goal: the office sets many numbers in several markets at once, or none; the next batch of every node obeys; a rule can be taken
// back without destroying what somebody set later.

import { changeAs, closeEarly } from '../../../test/changes.ts'
import { randomUUID } from 'node:crypto'
import type { NumberValue } from '@megalot/contract'
import type { BetTypeCode } from '@megalot/rules'
import { beforeEach, describe, expect, test } from 'vitest'
import { findViolatedInvariants } from '../../../test/invariants.ts'
import { findCaller, type Node, openNode, type TestUser } from '../../../test/nodes.ts'
import {
  addPeriod,
  limitNumbers,
  makeLine,
  makeTicket,
  openPeriod,
  toNewTicket,
  waitForLock,
} from '../../../test/scenes.ts'
import { cloneDatabase } from '../../../test/test-database.ts'
import { previewChange } from '../../changes/index.ts'
import { addDays, bangkokDayOf } from '../../lib/bangkok.ts'
import { lockPeriodShared, makePeriods, movePeriod } from '../index.ts'
import {
  type LimitRuleInput,
  previewLimitRule,
  setLimitNumber,
  setLimitRule,
  undoLimitRule,
} from './limit-rule-changes.ts'
import { listLimitRules, listStandingNumbers } from './limit-rules.store.ts'
import { placeTicket } from '../../betting/index.ts'

let period_code: string

const database = await cloneDatabase()
const office: TestUser = await findCaller(database.db, 'office01')
const other: TestUser = await findCaller(database.db, 'office02')
const members: TestUser[] = await Promise.all(
  ['member01', 'member02', 'member03'].map((name) => findCaller(database.db, name)),
)
const nodes: [Node, Node] = [openNode(database.url), openNode(database.url)]
beforeEach(async () => {
  period_code = await openPeriod(database.owner)
})

const half: NumberValue = { set_to: 'half', full_satang: null, half_satang: null }
const closed: NumberValue = { set_to: 'closed', full_satang: null, half_satang: null }
const amount = (full_satang: number, half_satang = 0): NumberValue => ({ set_to: 'amount', full_satang, half_satang })

type LimitRuleCall = LimitRuleInput & { request_id: string; reason: string }

function ruleOf(numbers: string[], value: NumberValue, changes: Partial<LimitRuleCall> = {}): LimitRuleCall {
  const target = { period_codes: [period_code] }
  return { request_id: randomUUID(), target, bet_types: ['3top'], numbers, value, reason: 'many bets', ...changes }
}

const set = async (call: LimitRuleCall) => (await changeAs(database.db, office.actor_id, setLimitRule, call))!
const undo = async (rule_id: number | null, request_id: string = randomUUID()) => {
  const call = { rule_id: rule_id!, request_id, reason: 'a mistake' }
  return (await changeAs(database.db, office.actor_id, undoLimitRule, call))!
}
/** Sets a number by hand, as somebody else. */
const setOne = (code: string, number: string, set_to: 'half' | 'closed') =>
  changeAs(database.db, other.actor_id, setLimitNumber, { period_code: code, bet_type: '3top', number, set_to })
const callOf = <Input>(input: Input) => ({ caller: { ...office, permissions: new Set<never>() }, input })

/** Bets of whole Baht, and what is received of each. */
async function receive(node: Node, bets: [BetTypeCode, string, number][], code = period_code): Promise<number[]> {
  const items = bets.map(([bet_type, number, baht]) => makeLine(bet_type, number, baht))
  const ticket = toNewTicket(members[0]!, makeTicket(code, { items, on_change: 'accept' }))
  const { order_id } = (await placeTicket(node.intake, ticket)) as { order_id: number }
  const { rows } = await database.asOwner<{ received_satang: number }>`
    select received_satang from order_items where order_id = ${order_id} order by line_no`
  return rows.map((row) => row.received_satang)
}

async function settingsOf(code: string): Promise<Record<string, string>> {
  const { rows } = await database.asOwner<{ name: string; value: string }>`
    select bet_type || ' ' || quota_key as name,
      case when full_satang is null then set_to else full_satang || '+' || half_satang end as value
    from number_settings join periods using (period_id)
    where period_code = ${code} and (set_to <> 'open' or full_satang is not null) order by 1`
  return Object.fromEntries(rows.map(({ name, value }) => [name, value]))
}

const auditsOf = async (subject: string) =>
  database.owner
    .selectFrom('audit_log')
    .select(['actor_id', 'action', 'before', 'after', 'reason'])
    .where('subject', '=', subject)
    .orderBy('audit_id')
    .execute()

/** Periods of three markets. */
const openThree = () =>
  Promise.all(['lao-vip', 'gsb', 'baac'].map((product_code) => openPeriod(database.owner, product_code)))

describe('a rule', () => {
  test('of 50 numbers in 3 markets is one request, and each number is bet by it', async () => {
    const period_codes = await openThree()
    const numbers = Array.from({ length: 50 }, (_, index) => String(index * 7).padStart(3, '0'))
    const call = ruleOf(numbers, closed, { target: { period_codes }, bet_types: ['3top', '3roll', '2top'] })
    const result = await set({ ...call, numbers: [...numbers, '12', numbers[0]!] })
    expect(result).toMatchObject({ doubled: ['000'], period_count: 3 })
    const rolls = new Set(numbers.map((number) => [...number].toSorted().join('')))
    expect(result.rows).toHaveLength(3 * (50 + rolls.size + 1))
    for (const code of period_codes) {
      const settings = await settingsOf(code)
      expect(Object.keys(settings)).toHaveLength(50 + rolls.size + 1)
      expect(new Set(Object.values(settings))).toEqual(new Set(['closed']))
      expect(
        await receive(
          nodes[0],
          [
            ['3top', '007', 10],
            ['3top', '008', 10],
          ],
          code,
        ),
      ).toEqual([0, 1_000])
      expect(await auditsOf(`period:${code}`)).toMatchObject([
        { action: 'set_limit_rule', actor_id: office.actor_id, reason: 'many bets' },
      ])
    }
  })

  test('is previewed in the same way, and the preview writes nothing', async () => {
    await set(ruleOf(['123'], half))
    await receive(nodes[0], [
      ['3top', '123', 10],
      ['3top', '456', 30],
    ])
    const call = ruleOf(['456', '123', '123'], half, { bet_types: ['3top', '3roll'] })
    const before = await settingsOf(period_code)
    const preview = await previewLimitRule(database.db, callOf(call))
    expect(preview).toMatchObject({ rule_id: null, doubled: ['123'], period_count: 1, ticket_count: 1 })
    expect(
      preview.rows.map((row) => [row.bet_type, row.number, row.outcome, row.before.set_to, row.accepted_satang]),
    ).toEqual([
      ['3roll', '123', 'set', 'open', 0],
      ['3roll', '456', 'set', 'open', 0],
      ['3top', '123', 'unchanged', 'half', 1_000],
      ['3top', '456', 'set', 'open', 3_000],
    ])
    expect(await settingsOf(period_code)).toEqual(before)
    const { rows } = await set(call)
    expect(rows).toEqual(preview.rows)
  })

  test('leaves out bet types that a market does not offer', async () => {
    const [lao] = await openThree()
    const { rows } = await set(
      ruleOf(['123'], closed, { target: { period_codes: [lao!, period_code] }, bet_types: ['3front'] }),
    )
    expect(rows.map((row) => [row.product_code, row.outcome])).toEqual([
      ['lao-vip', 'not_offered'],
      ['thai-government', 'set'],
    ])
    expect(await settingsOf(lao!)).toEqual({})
  })

  test.each<[string, () => Partial<LimitRuleCall>, string]>([
    ['a number that fits no bet type', () => ({ numbers: ['123', '12'] }), 'bad_number'],
    ['an amount without figures', () => ({ value: { ...closed, set_to: 'amount' } }), 'bad_input'],
    ['figures without an amount', () => ({ value: { ...amount(100), set_to: 'half' } }), 'bad_input'],
    ['a period named twice', () => ({ target: { period_codes: [period_code, period_code] } }), 'bad_input'],
    ['an unknown period', () => ({ target: { period_codes: [period_code, 'no-such-1'] } }), 'unknown_period'],
    [
      'an unknown market',
      () => ({ target: { product_codes: ['gsb', 'no-such'], until_date: null } }),
      'unknown_product',
    ],
    ['a last day that is past', () => ({ target: { product_codes: ['gsb'], until_date: '2020-01-01' } }), 'bad_input'],
  ])('with %s is refused, and nothing is written', async (_name, changes, code) => {
    const count = async () => (await listLimitRules(database.db)).length
    const before = await count()
    await expect(set(ruleOf(['123'], closed, changes()))).rejects.toMatchObject({ code })
    expect(await count()).toBe(before)
    expect(await settingsOf(period_code)).toEqual({})
  })

  test('is refused as a whole where one of its periods has closed', async () => {
    const period_codes = [period_code, await openPeriod(database.owner)]
    await closeEarly(database.db, period_codes[1]!)
    const refused = set(ruleOf(['123'], closed, { target: { period_codes } }))
    await expect(refused).rejects.toMatchObject({ code: 'period_closed', details: { period_code: period_codes[1] } })
    expect(await settingsOf(period_code)).toEqual({})
  })
})

describe('the next batch', () => {
  // Defect: the other node decides by what it has cached before the change.
  test('of either node obeys a rule, its undo, and a further one', async () => {
    const bet: [BetTypeCode, string, number][] = [
      ['3top', '123', 10],
      ['3top', '999', 10],
    ]
    for (const node of nodes) for (const _ of [1, 2]) expect(await receive(node, bet)).toEqual([1_000, 1_000])
    const { rule_id } = await set(ruleOf(['123'], closed))
    for (const node of nodes) expect(await receive(node, bet)).toEqual([0, 1_000])
    await undo(rule_id)
    for (const node of nodes) expect(await receive(node, bet)).toEqual([1_000, 1_000])
    await set(ruleOf(['123'], amount(7_000)))
    // 60 Baht are accepted so far: 10 are left.
    expect(
      await receive(nodes[1], [
        ['3top', '123', 30],
        ['3top', '999', 10],
      ]),
    ).toEqual([1_000, 1_000])
    for (const node of nodes) expect(await receive(node, bet)).toEqual([0, 1_000])
    expect(await findViolatedInvariants(database.owner)).toEqual({})
  })

  // Defect: a rule that had waited for a batch lay below the one that was set meanwhile, and its reply said that it was set.
  test('that has waited lies above one that was set meanwhile', async () => {
    const later = await openPeriod(database.owner)
    let setting!: ReturnType<typeof set>
    await database.owner.transaction().execute(async (tx) => {
      await lockPeriodShared(tx, period_code)
      setting = set(ruleOf(['123'], closed, { target: { period_codes: [period_code, later] } }))
      await waitForLock(database.owner)
      await set(ruleOf(['123'], half, { target: { period_codes: [later] } }))
    })
    const { rows } = await setting
    expect(rows.map(({ outcome, before }) => [outcome, before.set_to])).toEqual([
      ['set', 'open'],
      ['set', 'half'],
    ])
    expect(await settingsOf(later)).toEqual({ '3top 123': 'closed' })
  })

  test('accepts an amount at the full rate and then at half, below the quota of the market', async () => {
    await limitNumbers(database.db, '2top', 100_000, 50_000)
    await set(ruleOf(['12'], amount(5_000, 2_000), { bet_types: ['2top'] }))
    const received = async (baht: number) =>
      (
        await receive(nodes[0], [
          ['2top', '12', baht],
          ['3top', '999', 1 * 10],
        ])
      )[0]
    expect(await received(40)).toBe(4_000)
    expect(await received(40)).toBe(1_000)
    expect(await received(40)).toBe(2_000)
    expect(await received(40)).toBe(0)
    await set(ruleOf(['12'], amount(10_000_000), { bet_types: ['2top'] }))
    // 70 of 1,000 and 500 are accepted: the amount does not raise the quota.
    expect(await received(5_000)).toBe(93_000)
    expect(await findViolatedInvariants(database.owner)).toEqual({})
  })

  // Defect: bets that are decided together without a lock pass the amount together.
  test('never passes an amount, however many bets arrive at once on both nodes', async () => {
    await set(ruleOf(['123'], amount(10_000)))
    const bets = Array.from({ length: 60 }, (_, index) =>
      placeTicket(
        nodes[index % 2]!.intake,
        toNewTicket(members[index % 3]!, makeTicket(period_code, { items: [makeLine('3top', '123', 5)] })),
      ),
    )
    const settled = await Promise.allSettled(bets)
    const accepted = settled.filter(({ status }) => status === 'fulfilled').length
    expect(accepted).toBe(20)
    expect(await findViolatedInvariants(database.owner)).toEqual({})
  })

  // Defect: a batch is decided by numbers as they were before the reply of the rule.
  test('is never later than the reply of a rule, while bets go on', async () => {
    const results = await Promise.all(
      Array.from({ length: 20 }, async (_, index) => {
        const number = `5${String(index).padStart(2, '0')}`
        const bets: [BetTypeCode, string, number][] = [
          ['3top', number, 10],
          ['3top', '999', 10],
        ]
        const early = receive(nodes[index % 2]!, bets)
        await set(ruleOf([number], closed))
        const late = await receive(nodes[(index + 1) % 2]!, bets)
        return [(await early)[1], late[0]]
      }),
    )
    expect(results).toEqual(results.map(() => [1_000, 0]))
    expect(await findViolatedInvariants(database.owner)).toEqual({})
  })
})

describe('a standing rule', () => {
  const product_code = 'lao-vip'
  const standing = (numbers: string[], value: NumberValue, until_date: string | null = null) =>
    set(ruleOf(numbers, value, { target: { product_codes: [product_code], until_date } }))
  const today = bangkokDayOf(new Date())

  const hoursAway = (hours: number) => new Date(Date.now() + hours * 3_600_000)

  async function periodOn(day: string): Promise<string> {
    const added = await addPeriod(database.owner, product_code, day, {
      open_at: hoursAway(-1),
      close_at: hoursAway(48),
      draw_at: hoursAway(49),
    })
    return added.period_code
  }

  test('holds for periods that are open and for new ones, until its last day', async () => {
    const first = await periodOn(today)
    const { rule_id } = await standing(['123', '124'], half, addDays(today, 1))
    const [second, later] = [await periodOn(addDays(today, 1)), await periodOn(addDays(today, 2))]
    for (const code of [first, second])
      expect(await settingsOf(code)).toEqual({ '3top 123': 'half', '3top 124': 'half' })
    expect(await settingsOf(later)).toEqual({})
    expect(await listStandingNumbers(database.db, product_code)).toMatchObject([
      { number: '123', value: half, until_date: addDays(today, 1), rule_id },
      { number: '124' },
    ])
    await undo(rule_id)
    for (const code of [first, second]) expect(await settingsOf(code)).toEqual({})
    expect(await listStandingNumbers(database.db, product_code)).toEqual([])
    expect(await settingsOf(await periodOn(today))).toEqual({})
  })

  test('is not shown as standing where it is over before the next period of its market', async () => {
    const market = 'gsb'
    await database.asOwner`update periods set open_at = now() - interval '2 days', close_at = now() - interval '1 day' where product_code = ${market}`
    for (const days of [3, 6])
      await addPeriod(database.owner, market, addDays(today, days), {
        open_at: hoursAway(-1),
        close_at: hoursAway(48),
        draw_at: hoursAway(49),
      })
    const until = (until_date: string) => ({ target: { product_codes: [market], until_date } })
    const { rule_id } = await set(ruleOf(['123'], half, until(addDays(today, 2))))
    expect(await listStandingNumbers(database.db, market)).toEqual([])
    await undo(rule_id)
    const other = await set(ruleOf(['123'], half, until(addDays(today, 3))))
    expect(await listStandingNumbers(database.db, market)).toHaveLength(1)
    await undo(other.rule_id)
  })

  // Defect: the notification of so many periods was longer than PostgreSQL sends, and the rule failed.
  test('of a market with hundreds of periods ahead is set and undone', async () => {
    await makePeriods(database.db)
    const setIn = async (): Promise<number> => {
      const { rows } = await database.asOwner<{ periods: number }>`
        select count(*)::int as periods from number_settings join periods using (period_id)
        where product_code = 'yeekee' and quota_key = '944' and set_to = 'closed'`
      return rows[0]!.periods
    }
    const rule = ruleOf(['944'], closed, { target: { product_codes: ['yeekee'], until_date: null } })
    const { rule_id } = await set(rule)
    expect(await setIn()).toBeGreaterThan(450)
    await undo(rule_id)
    expect(await setIn()).toBe(0)
  })

  test('leaves a period with a setting of its own as it is', async () => {
    const [own, plain] = [await periodOn(today), await periodOn(today)]
    await setOne(own, '222', 'half')
    const call = ruleOf(['222'], closed, { target: { product_codes: [product_code], until_date: null } })
    const { rows, rule_id } = await set(call)
    expect(rows).toMatchObject([{ outcome: 'set', exception_count: 1 }])
    expect(await settingsOf(own)).toEqual({ '3top 222': 'half' })
    expect(await settingsOf(plain)).toEqual({ '3top 222': 'closed' })
    await undo(rule_id)
    expect(await settingsOf(own)).toEqual({ '3top 222': 'half' })
  })

  test('is over only once no period of its days can be moved to a later close', async () => {
    const day = addDays(today, -2)
    const code = await periodOn(day)
    const { rule_id } = await standing(['446'], closed, today)
    await database.asOwner`update limit_rules set until_date = ${day} where rule_id = ${rule_id}`
    const isOver = async () => {
      const { rows } = await database.asOwner<{ is_over: boolean }>`
        select is_over from limit_rule_rows where rule_id = ${rule_id}`
      return rows[0]!.is_over
    }
    await standing(['447'], half)
    expect(await isOver()).toBe(false)
    await closeEarly(database.db, code)
    await standing(['447'], closed)
    expect(await isOver()).toBe(true)
    expect(await settingsOf(code)).toMatchObject({ '3top 446': 'closed' })
    const times = { close_at: hoursAway(1), draw_at: hoursAway(2) }
    const move = { period_code: code, close_at: times.close_at.toISOString(), draw_at: times.draw_at.toISOString() }
    const moved = changeAs(database.db, office.actor_id, movePeriod, { ...move, reason: 'test' }, 'approved')
    await expect(moved).rejects.toMatchObject({ code: 'period_not_movable' })
    // The database keeps its close, whoever moves it.
    const updated = database.owner.updateTable('periods').set(times).where('period_code', '=', code).execute()
    await expect(updated).rejects.toMatchObject({ constraint: 'periods_close_once' })
  })

  // Defect: a period that is created while a rule is being set misses the rule.
  test('waits for a period that is being created, which then has it', async () => {
    const order: string[] = []
    let setting: Promise<unknown> = Promise.resolve()
    const code = await database.owner.transaction().execute(async (tx) => {
      const times = {
        open_at: hoursAway(-1),
        close_at: hoursAway(48),
        draw_at: hoursAway(49),
      }
      const created = await addPeriod(tx, product_code, today, times)
      setting = standing(['911'], closed).then(() => order.push('list'))
      await Promise.race([waitForLock(database.owner), setting])
      order.push('period')
      return created.period_code
    })
    await setting
    expect(order).toEqual(['period', 'list'])
    expect(await settingsOf(code)).toMatchObject({ '3top 911': 'closed' })
  })
})

describe('an undo', () => {
  test('restores what stood before, and is done once', async () => {
    await set(ruleOf(['123', '124'], half))
    const { rule_id } = await set(ruleOf(['123', '125'], closed))
    const preview = await previewChange(database.db, undoLimitRule, callOf({ rule_id: rule_id! }))
    expect(await settingsOf(period_code)).toEqual({ '3top 123': 'closed', '3top 124': 'half', '3top 125': 'closed' })
    const request_id = randomUUID()
    const result = await undo(rule_id, request_id)
    expect(result).toEqual(preview.plan.result)
    expect(result.rows.map(({ number, outcome, after }) => [number, outcome, after.set_to])).toEqual([
      ['123', 'restored', 'half'],
      ['125', 'restored', 'open'],
    ])
    expect(await settingsOf(period_code)).toEqual({ '3top 123': 'half', '3top 124': 'half' })
    expect(await undo(rule_id, request_id)).toEqual(result)
    await expect(undo(rule_id)).rejects.toMatchObject({ code: 'limit_rule_undone' })
    expect((await listLimitRules(database.db))[0]).toMatchObject({
      rule_id,
      reason: 'many bets',
      undone_by: { username: 'office01' },
      undo_reason: 'a mistake',
    })
    const audits = await auditsOf(`period:${period_code}`)
    expect(audits.map(({ action }) => action)).toEqual(['set_limit_rule', 'set_limit_rule', 'undo_limit_rule'])
  })

  // Defect: a rule of a thousand numbers wrote an object of each of them, 150 kB a period, into the audit log.
  test('is in the audit log with its numbers by what held and what holds', async () => {
    await set(ruleOf(['123', '124'], half))
    await set(ruleOf(['126'], amount(500, 700)))
    const { rule_id } = await set(ruleOf(['123', '124', '125', '126'], closed))
    await setOne(period_code, '124', 'half')
    await undo(rule_id)
    const audits = await auditsOf(`period:${period_code}`)
    const ofAmount = { set_to: 'amount', full_satang: 500, half_satang: 700 }
    expect(audits.find(({ after }) => (after as { set_to?: string }).set_to === 'closed')).toMatchObject({
      before: {
        numbers: [
          { set_to: 'half', numbers: ['3top 123', '3top 124'] },
          { ...ofAmount, numbers: ['3top 126'] },
        ],
      },
      after: { rule_id, set_to: 'closed', numbers: ['3top 123', '3top 124', '3top 125', '3top 126'] },
    })
    expect(audits.at(-1)).toMatchObject({
      action: 'undo_limit_rule',
      before: null,
      after: {
        rule_id,
        numbers: [
          { outcome: 'restored', set_to: 'half', numbers: ['3top 123'] },
          { outcome: 'kept', set_to: 'half', numbers: ['3top 124'] },
          { outcome: 'restored', set_to: 'open', numbers: ['3top 125'] },
          { outcome: 'restored', ...ofAmount, numbers: ['3top 126'] },
        ],
      },
    })
  })

  test('is refused where its periods have closed, and where there is no such rule', async () => {
    const { rule_id } = await set(ruleOf(['123'], closed))
    await closeEarly(database.db, period_code)
    await expect(undo(rule_id)).rejects.toMatchObject({ code: 'limit_rule_over' })
    expect(await settingsOf(period_code)).toEqual({ '3top 123': 'closed' })
    await expect(undo(999_999_999)).rejects.toMatchObject({ code: 'unknown_limit_rule' })
  })
})
