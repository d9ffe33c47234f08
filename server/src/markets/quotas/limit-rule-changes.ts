// Limit rules: setting many numbers together, for periods or standing in markets, one number by hand, and taking a rule back.
//
// Rules lie one above the other (decision 130): the last rule for a period decides on a number, or else the last standing
// rule of its market. Nothing is overwritten, so an undo never destroys what somebody set later.

import * as contract from '@megalot/contract'
import {
  type LimitRuleResult,
  type LimitRuleRow,
  MAX_RULE_ROWS,
  type NumberValue,
  type RuleTarget,
  type UndoneRow,
} from '@megalot/contract'
import {
  betOfSlot,
  betTypeByCode,
  type BetTypeCode,
  isNumberOf,
  quotaSlot,
  quotaSlotOf,
  SLOT_COUNT,
} from '@megalot/rules'
import * as z from 'zod/mini'
import { type AuditRow, type ChangeCall, defineChange, type Lock, previewChange } from '../../changes/index.ts'
import { Refusal } from '../../lib/refusal.ts'
import type { Db } from '../../postgres/db.ts'
import {
  getPeriodRecord,
  getProduct,
  listPeriodRecords,
  listPeriodsToBet,
  listPlannedDays,
  lockOfPeriods,
  lockOfPeriodsToBet,
  type PeriodRecord,
} from '../index.ts'
import {
  countStanding,
  countTickets,
  endPastRules,
  findRule,
  listAfterUndoInMarkets,
  listAfterUndoInPeriods,
  listNumbersInMarkets,
  listNumbersInPeriods,
  listRuleRows,
  lockRule,
  lockStandingRules,
  type NumberAfterUndo,
  type PresentNumber,
  readToday,
  saveRule,
  saveUndo,
} from './limit-rules.store.ts'
import { findOpenPeriod, refuseUnoffered } from './quota-changes.ts'
import { findNumberSetting, type QuotaKey } from './quotas.store.ts'

/** The most settings of single periods that one rule may write: a market may have hundreds of periods ahead. */
const MAX_SETTINGS = 300_000
/** The most settings that the standing rules of a market may write together when all of its periods are made: this takes some ten seconds. */
const MAX_STANDING_SETTINGS = 700_000
/** The most rows of the standing rules of a market that are not over: all of them are read for new periods. */
const MAX_STANDING_ROWS = 20_000

/**
 * Sets one number of a period by hand: a rule too, so that it lies above the rules before it. A roll is set for every order of its digits.
 * @throws Refusal unknown_period, period_closed, bet_type_not_offered, bad_number
 */
export const setLimitNumber = defineChange({
  name: 'set_number',
  needs: 'risk.do',
  input: z.extend(z.omit(contract.setLimitNumber.body, { reason: true }), contract.setLimitNumber.params.shape),
  async find(db, { period_code, bet_type, number }) {
    const { product_code } = await getPeriodRecord(db, period_code)
    await refuseUnoffered(db, { product_code, bet_type })
    if (!isNumberOf(bet_type, number)) throw new Refusal('bad_number', { bet_type, number })
    return { product_code, bet_type, quota_key: betTypeByCode[bet_type].quotaKey(number) }
  },
  // Waits for batches in flight; later ones see the new setting.
  locks: ({ period_code }) => [lockOfPeriods(period_code)],
  async load({ tx }, { period_code }, found) {
    const { period_id } = await findOpenPeriod(tx, found.product_code, period_code)
    return { row: { ...found, period_id }, before: await findNumberSetting(tx, period_id, found) }
  },
  decide({ row, before }, { period_code, set_to }) {
    const named = { bet_type: row.bet_type, number: row.quota_key }
    return {
      plan: { row, set_to },
      rows: [{ subject: `period:${period_code}`, before: { ...named, set_to: before }, after: { ...named, set_to } }],
    }
  },
  async write({ tx }, { row, set_to }, { caller: { actor_id }, reason = null }) {
    const value = { set_to, full_satang: null, half_satang: null }
    const rule = { actor_id, reason, value, is_standing: false, until_date: null }
    await saveRule(tx, rule, [row], [row.period_id], [row])
  },
})

const limitRule = z.omit(contract.setLimitRule.body, { request_id: true, preview: true, reason: true })
export type LimitRuleInput = z.output<typeof limitRule>

/**
 * Sets numbers together. Bets in flight in these periods are waited for; the next batch of every node obeys. Tickets that were accepted keep
 * their terms.
 * @throws Refusal bad_input (an amount without its figures, a last day that is past, a market named twice), bad_number (a
 * number that fits none of the bet types), unknown_product, unknown_period, period_closed, limit_rule_too_long,
 * too_many_standing_numbers, too_many_standing_rules
 */
export const setLimitRule = defineChange({
  name: 'set_limit_rule',
  needs: 'risk.do',
  input: limitRule,
  async find(_db, rule) {
    refuseInput(rule)
    return readNumbers(rule)
  },
  locks: ({ target }) => locksOf(target),
  async load({ tx }, { target }, numbers) {
    const scope = await readScope(tx, target)
    return { ...numbers, ...scope, present: await listPresent(tx, scope, numbers.keys) }
  },
  decide({ present, offeredBy, periods, ...state }, { value }) {
    const isOffered = ({ product_code, bet_type }: PresentNumber) => offeredBy.get(product_code)!.includes(bet_type)
    return {
      plan: {
        ...state,
        value,
        rows: present.map((number) => toRow(number, value, isOffered(number))),
        ruleRows: present.filter(isOffered),
        period_ids: periods.map(({ period_id }) => period_id),
      },
    }
  },
  async write({ tx }, plan, { caller: { actor_id }, reason = null }) {
    const { value, is_standing, until_date, product_codes, keys, period_ids, ruleRows } = plan
    if (is_standing) await endPastRules(tx, product_codes)
    const rule = { actor_id, reason, value, is_standing, until_date }
    const rule_id = await saveRule(tx, rule, ruleRows, period_ids, keys)
    const after = { rule_id, ...withoutNulls(value), ...(until_date && { until_date }) }
    const offered = plan.rows.filter(({ outcome }) => outcome !== 'not_offered')
    return {
      outcome: toResult(plan, { rule_id, ticket_count: null }),
      rows: [...groupByTarget(offered)].map(([subject, own]): AuditRow => {
        const before = { numbers: describeBefore(own) }
        return { subject, before, after: { ...after, numbers: own.map(nameNumber) } }
      }),
    }
  },
})

/** What `setLimitRule` would do at the moment, with how many tickets have the numbers. @throws Refusal as `setLimitRule` does */
export async function previewLimitRule(db: Db, call: ChangeCall<LimitRuleInput>): Promise<LimitRuleResult> {
  const { plan } = await previewChange(db, setLimitRule, call)
  const ticket_count = await countTickets(db, plan.period_ids, listSlotsOf(plan.keys))
  return toResult(plan, { rule_id: null, ticket_count })
}

function toResult(
  { rows, doubled, period_ids }: { rows: LimitRuleRow[]; doubled: string[]; period_ids: readonly number[] },
  result: Pick<LimitRuleResult, 'rule_id' | 'ticket_count'>,
): LimitRuleResult {
  return { ...result, rows, doubled, period_count: period_ids.length }
}

/** The numbers of a rule by their quotas, each once. */
interface RuleNumbers {
  keys: QuotaKey[]
  doubled: string[]
}

/** Where a rule holds: the offered bet types by market, and the periods that take bets now or later under it. */
interface Scope {
  product_codes: string[]
  offeredBy: ReadonlyMap<string, readonly BetTypeCode[]>
  periods: PeriodRecord[]
  is_standing: boolean
  until_date: string | null
}

/** Batches in flight are waited for; later ones see what is set. */
function locksOf(target: RuleTarget): readonly Lock[] {
  return 'period_codes' in target
    ? [lockOfPeriods(...target.period_codes)]
    : [{ rank: 'standingRules', key: 'alone', take: lockStandingRules }, lockOfPeriodsToBet(...target.product_codes)]
}

function refuseInput({ target, value }: LimitRuleInput): void {
  const named = 'product_codes' in target ? target.product_codes : target.period_codes
  if (new Set(named).size < named.length) throw new Refusal('bad_input', { fields: ['target'] })
  const hasAmount = value.full_satang !== null && value.half_satang !== null
  const hasNone = value.full_satang === null && value.half_satang === null
  if (value.set_to === 'amount' ? !hasAmount : !hasNone) throw new Refusal('bad_input', { fields: ['value'] })
}

/** A number applies to each of the bet types that has as many digits. */
function readNumbers({ bet_types, numbers }: LimitRuleInput): RuleNumbers {
  const keyOf = new Map<string, QuotaKey>()
  const doubled = numbers.filter((number, index) => numbers.indexOf(number) < index)
  for (const number of numbers) {
    const fitting = [...new Set(bet_types)].filter((bet_type) => isNumberOf(bet_type, number))
    if (fitting.length === 0) throw new Refusal('bad_number', { number })
    for (const bet_type of fitting) {
      const quota_key = betTypeByCode[bet_type].quotaKey(number)
      keyOf.set(`${bet_type} ${quota_key}`, { bet_type, quota_key })
    }
  }
  const keys = [...keyOf.keys()].toSorted().map((name) => keyOf.get(name)!)
  return { keys, doubled: [...new Set(doubled)] }
}

/** Every bet that counts for one of the numbers: of rolls in every order. */
function listSlotsOf(keys: readonly QuotaKey[]): number[] {
  const requested = new Set(keys.map(({ bet_type, quota_key }) => quotaSlot(bet_type, quota_key)))
  return Array.from({ length: SLOT_COUNT }, (_, slot) => slot).filter(
    (slot) => betOfSlot(slot) !== undefined && requested.has(quotaSlotOf(slot)),
  )
}

async function readScope(db: Db, target: RuleTarget): Promise<Scope> {
  const is_standing = 'product_codes' in target
  const until_date = is_standing ? target.until_date : null
  if (until_date !== null && until_date < (await readToday(db)))
    throw new Refusal('bad_input', { fields: ['until_date'] })
  const periods = is_standing
    ? await listPeriodsToBet(db, target.product_codes, until_date)
    : await getPeriodsToBet(db, target.period_codes)
  const product_codes = is_standing
    ? target.product_codes.toSorted()
    : [...new Set(periods.map(({ product_code }) => product_code))]
  const offeredBy = new Map<string, readonly BetTypeCode[]>()
  for (const product_code of product_codes) offeredBy.set(product_code, (await getProduct(db, product_code)).bet_types)
  return { product_codes, offeredBy, periods, is_standing, until_date }
}

async function getPeriodsToBet(db: Db, period_codes: readonly string[]): Promise<PeriodRecord[]> {
  const periods = await listPeriodRecords(db, period_codes)
  if (periods.length < period_codes.length) throw new Refusal('unknown_period')
  const closed = periods.find((period) => !isToBet(period))
  if (closed) throw new Refusal('period_closed', { period_code: closed.period_code })
  return periods
}

/** What holds now. @throws Refusal limit_rule_too_long, too_many_standing_numbers, too_many_standing_rules */
async function listPresent(db: Db, scope: Scope, keys: readonly QuotaKey[]): Promise<PresentNumber[]> {
  const { product_codes, periods, is_standing } = scope
  const targets = is_standing ? product_codes.length : periods.length
  if (targets * keys.length > MAX_RULE_ROWS) throw new Refusal('limit_rule_too_long', { most: MAX_RULE_ROWS })
  const periodCount = is_standing ? await countStandingPeriods(db, scope, keys) : periods.length
  if (periodCount * keys.length > MAX_SETTINGS) throw new Refusal('limit_rule_too_long', { most: MAX_SETTINGS })
  const period_ids = periods.map(({ period_id }) => period_id)
  return is_standing
    ? listNumbersInMarkets(db, product_codes, period_ids, keys)
    : listNumbersInPeriods(db, period_ids, keys)
}

/**
 * In how many periods a standing rule holds: those that exist, or as many as the timetables make, so that a market that is switched off
 * counts as well.
 * @throws Refusal too_many_standing_numbers, too_many_standing_rules: with those of other rules
 */
async function countStandingPeriods(
  db: Db,
  { product_codes, periods, until_date }: Scope,
  keys: readonly QuotaKey[],
): Promise<number> {
  let count = 0
  for (const product_code of product_codes) {
    const existing = periods.filter((period) => period.product_code === product_code).length
    const planned = await listPlannedDays(db, product_code)
    const { numbers, rows } = await countStanding(db, product_code, keys)
    if (rows > MAX_STANDING_ROWS)
      throw new Refusal('too_many_standing_rules', { product_code, most: MAX_STANDING_ROWS })
    if (planned.length * numbers > MAX_STANDING_SETTINGS)
      throw new Refusal('too_many_standing_numbers', {
        product_code,
        most: Math.floor(MAX_STANDING_SETTINGS / planned.length),
      })
    count += Math.max(existing, planned.filter((day) => until_date === null || day <= until_date).length)
  }
  return count
}

function toRow(number: PresentNumber, value: NumberValue, isOffered: boolean): LimitRuleRow {
  const { product_code, period_code, bet_type, quota_key, accepted_satang, exception_count } = number
  const { set_to, full_satang, half_satang, period_count } = number
  const isSame = set_to === value.set_to && full_satang === value.full_satang && half_satang === value.half_satang
  const isExcepted = period_count > 0 && exception_count === period_count
  const outcome = isSame ? 'unchanged' : isExcepted ? 'exception' : 'set'
  return {
    ...{ product_code, period_code, bet_type, number: quota_key },
    outcome: isOffered ? outcome : 'not_offered',
    before: { set_to, full_satang, half_satang },
    ...{ accepted_satang, exception_count },
  }
}

type Placed = Pick<LimitRuleRow, 'product_code' | 'period_code'>

/** Rows by the subject of their audit record: the period, or the market of a standing rule. */
function groupByTarget<Row extends Placed>(rows: readonly Row[]): Map<string, Row[]> {
  const rowsOf = new Map<string, Row[]>()
  for (const row of rows) {
    const subject = row.period_code === null ? `product:${row.product_code}` : `period:${row.period_code}`
    const own = rowsOf.get(subject)
    if (own) own.push(row)
    else rowsOf.set(subject, [row])
  }
  return rowsOf
}

/** What numbers were set to, where they were not simply open. */
function describeBefore(rows: readonly LimitRuleRow[]): object[] {
  return groupByState(
    rows.filter(({ before }) => before.set_to !== 'open'),
    ({ before }) => withoutNulls(before),
  )
}

/** Numbers by what an audit record says of them, so that it says it once and not of each of a thousand numbers. */
function groupByState<Row extends QuotaNumber>(rows: readonly Row[], stateOf: (row: Row) => object): object[] {
  const groups = new Map<string, { state: object; numbers: string[] }>()
  for (const row of rows) {
    const state = stateOf(row)
    const key = JSON.stringify(state)
    const group = groups.get(key)
    if (group) group.numbers.push(nameNumber(row))
    else groups.set(key, { state, numbers: [nameNumber(row)] })
  }
  return [...groups.values()].map(({ state, numbers }) => ({ ...state, numbers }))
}

type QuotaNumber = Pick<LimitRuleRow, 'bet_type' | 'number'>

const nameNumber = ({ bet_type, number }: QuotaNumber) => `${bet_type} ${number}`

function withoutNulls(value: NumberValue): Partial<NumberValue> {
  return Object.fromEntries(Object.entries(value).filter(([, part]) => part !== null))
}

/**
 * Takes a rule back. A number on which a later rule decides stays as that rule says. Periods that have
 * closed keep what they had.
 * @throws Refusal unknown_limit_rule, limit_rule_undone, limit_rule_over (it was for periods that have all closed)
 */
export const undoLimitRule = defineChange({
  name: 'undo_limit_rule',
  needs: 'risk.do',
  input: z.strictObject({ rule_id: z.int() }),
  async find(db, { rule_id }) {
    const rule = await findRule(db, rule_id)
    if (!rule) throw new Refusal('unknown_limit_rule')
    const { is_standing, until_date } = rule
    const rows = await listRuleRows(db, rule_id)
    const period_codes = [...new Set(rows.flatMap(({ period_code }) => period_code ?? []))]
    const product_codes = [...new Set(rows.map(({ product_code }) => product_code))]
    const target: RuleTarget = is_standing ? { product_codes, until_date } : { period_codes }
    return { target, keys: uniqueKeysOf(rows) }
  },
  locks: ({ rule_id }, { target }) => [
    ...locksOf(target),
    { rank: 'settings', key: `limit_rule:${rule_id}`, take: (tx) => lockRule(tx, rule_id) },
  ],
  async load({ tx }, { rule_id }, { target, keys }) {
    const { is_undone } = (await findRule(tx, rule_id))!
    const is_standing = 'product_codes' in target
    const periods = is_standing
      ? await listPeriodsToBet(tx, target.product_codes, target.until_date)
      : (await listPeriodRecords(tx, target.period_codes)).filter(isToBet)
    const left = is_standing ? await listAfterUndoInMarkets(tx, rule_id) : await listAfterUndoInPeriods(tx, rule_id)
    return { is_undone, is_standing, keys, left, period_ids: periods.map(({ period_id }) => period_id) }
  },
  decide({ is_undone, is_standing, keys, left, period_ids }, { rule_id }) {
    if (is_undone) throw new Refusal('limit_rule_undone')
    if (!is_standing && period_ids.length === 0) throw new Refusal('limit_rule_over')
    const rows = left.map(toUndoneRow)
    return {
      plan: { rule_id, keys, period_ids, result: { rows, period_count: period_ids.length } },
      rows: [...groupByTarget(rows)].map(([subject, own]) => {
        const numbers = groupByState(own, ({ outcome, after }) => ({ outcome, ...withoutNulls(after) }))
        return { subject, after: { rule_id, numbers } }
      }),
    }
  },
  async write({ tx }, { rule_id, keys, period_ids, result }, { caller, reason = null }) {
    await saveUndo(tx, { rule_id, undone_by: caller.actor_id, undo_reason: reason }, period_ids, keys)
    return { outcome: result }
  },
})

const isToBet = ({ status }: PeriodRecord) => status === 'open' || status === 'upcoming'

function toUndoneRow({
  product_code,
  period_code,
  bet_type,
  quota_key,
  is_deciding,
  ...value
}: NumberAfterUndo): UndoneRow {
  const { set_to, full_satang, half_satang } = value
  return {
    product_code,
    period_code,
    bet_type,
    number: quota_key,
    outcome: is_deciding ? 'restored' : 'kept',
    after: { set_to, full_satang, half_satang },
  }
}

function uniqueKeysOf(rows: readonly QuotaKey[]): QuotaKey[] {
  return [
    ...new Map(rows.map(({ bet_type, quota_key }) => [`${bet_type} ${quota_key}`, { bet_type, quota_key }])).values(),
  ]
}
