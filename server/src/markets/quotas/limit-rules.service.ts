// Limit rules: setting many numbers together, for periods or standing in markets, and taking such a rule back.
//
// Rules lie one above the other (decision 130): the last rule for a period decides on a number, or else the last standing
// rule of its market. Nothing is overwritten, so an undo never destroys what somebody set later.

import type {
  RuleTarget,
  LimitRule,
  LimitRuleResult,
  LimitRuleRow,
  NumberValue,
  StandingNumber,
  UndoneRow,
  UndoResult,
} from '@megalot/contract'
import { MAX_RULE_ROWS } from '@megalot/contract'
import {
  betOfSlot,
  betTypeByCode,
  type BetTypeCode,
  isNumberOf,
  quotaSlot,
  quotaSlotOf,
  SLOT_COUNT,
} from '@megalot/rules'
import { verifyCallerAgain } from '../../changes/callers/index.ts'
import type { Db, Tx } from '../../postgres/db.ts'
import { runOnce } from '../../changes/idempotent-replay.ts'
import { Refusal } from '../../lib/refusal.ts'
import { type AuditRecord, writeAudits } from '../../changes/audit/index.ts'
import {
  getProduct,
  listPeriodRecords,
  listPeriodsToBet,
  listPlannedDays,
  lockPeriods,
  lockPeriodsToBetOf,
  type PeriodRecord,
} from '../index.ts'
import {
  applyRules,
  countStanding,
  countTickets,
  endPastRules,
  findRule,
  insertRule,
  insertRuleRows,
  type NumberAfterUndo,
  listNumbersInMarkets,
  listNumbersInPeriods,
  listAfterUndoInMarkets,
  listAfterUndoInPeriods,
  listRules,
  listRuleRows,
  listStanding,
  lockStandingRules,
  markUndone,
  type PresentNumber,
  readToday,
} from './limit-rules.store.ts'
import type { QuotaKey } from './quotas.store.ts'

/** The most settings of single periods that one rule may write: a market may have hundreds of periods ahead. */
const MAX_SETTINGS = 300_000
/** The most settings that the standing rules of a market may write together when all of its periods are made: this takes some ten seconds. */
const MAX_STANDING_SETTINGS = 700_000
/** The most rows of the standing rules of a market that are not over: all of them are read for new periods. */
const MAX_STANDING_ROWS = 20_000
const RULES_A_PAGE = 50

export interface LimitRuleCall {
  request_id: string
  target: RuleTarget
  bet_types: readonly BetTypeCode[]
  numbers: readonly string[]
  value: NumberValue
  reason: string
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
  isStanding: boolean
  until_date: string | null
}

/**
 * What `setLimitRule` would do at the moment, with how many tickets have the numbers; writes nothing.
 * @throws Refusal as `setLimitRule` does, except request_id_reused
 */
export async function previewLimitRule(db: Db, call: LimitRuleCall): Promise<LimitRuleResult> {
  assertInput(call)
  const numbers = readNumbers(call)
  const scope = await readScope(db, call.target)
  const rows = await decideRows(db, scope, numbers.keys, call.value)
  const period_ids = scope.periods.map(({ period_id }) => period_id)
  const ticket_count = await countTickets(db, period_ids, listSlotsOf(numbers.keys))
  return { rule_id: null, rows, doubled: numbers.doubled, period_count: period_ids.length, ticket_count }
}

/**
 * Sets numbers together in one transaction. Bets in flight in these periods are waited for; the next batch of every node
 * obeys. Tickets that were accepted keep their terms.
 * @throws Refusal bad_input (an amount without its figures, a last day that is past, a market named twice), bad_number (a
 * number that fits none of the bet types), unknown_product, unknown_period, period_closed, limit_rule_too_long,
 * too_many_standing_numbers, too_many_standing_rules, request_id_reused
 */
export async function setLimitRule(db: Db, actor_id: number, call: LimitRuleCall): Promise<LimitRuleResult> {
  assertInput(call)
  const numbers = readNumbers(call)
  const { request_id, ...content } = call
  return runOnce(db, { actor_id, request_id, action: 'set_limit_rule', content }, (tx) =>
    writeRule(tx, actor_id, call, numbers),
  )
}

function assertInput({ target, value }: LimitRuleCall): void {
  const named = 'product_codes' in target ? target.product_codes : target.period_codes
  if (new Set(named).size < named.length) throw new Refusal('bad_input', { fields: ['target'] })
  const hasAmount = value.full_satang !== null && value.half_satang !== null
  const hasNone = value.full_satang === null && value.half_satang === null
  if (value.set_to === 'amount' ? !hasAmount : !hasNone) throw new Refusal('bad_input', { fields: ['value'] })
}

/** A number applies to each of the bet types that has as many digits. */
function readNumbers({ bet_types, numbers }: LimitRuleCall): RuleNumbers {
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

/** Reads where the rule holds. In a transaction that writes it, lock the periods first. */
async function readScope(db: Db, target: RuleTarget): Promise<Scope> {
  const isStanding = 'product_codes' in target
  const until_date = isStanding ? target.until_date : null
  if (until_date !== null && until_date < (await readToday(db)))
    throw new Refusal('bad_input', { fields: ['until_date'] })
  const periods = isStanding
    ? await listPeriodsToBet(db, target.product_codes, until_date)
    : await getPeriodsToBet(db, target.period_codes)
  const product_codes = isStanding
    ? target.product_codes.toSorted()
    : [...new Set(periods.map(({ product_code }) => product_code))]
  const offeredBy = new Map<string, readonly BetTypeCode[]>()
  for (const product_code of product_codes) offeredBy.set(product_code, (await getProduct(db, product_code)).bet_types)
  return { product_codes, offeredBy, periods, isStanding, until_date }
}

async function getPeriodsToBet(db: Db, period_codes: readonly string[]): Promise<PeriodRecord[]> {
  const periods = await listPeriodRecords(db, period_codes)
  if (periods.length < period_codes.length) throw new Refusal('unknown_period')
  const closed = periods.find(({ status }) => status !== 'open' && status !== 'upcoming')
  if (closed) throw new Refusal('period_closed', { period_code: closed.period_code })
  return periods
}

async function decideRows(
  db: Db,
  scope: Scope,
  keys: readonly QuotaKey[],
  value: NumberValue,
): Promise<LimitRuleRow[]> {
  const { product_codes, periods, isStanding, offeredBy } = scope
  const targets = isStanding ? product_codes.length : periods.length
  if (targets * keys.length > MAX_RULE_ROWS) throw new Refusal('limit_rule_too_long', { most: MAX_RULE_ROWS })
  const periodCount = isStanding ? await countStandingPeriods(db, scope, keys) : periods.length
  if (periodCount * keys.length > MAX_SETTINGS) throw new Refusal('limit_rule_too_long', { most: MAX_SETTINGS })
  const period_ids = periods.map(({ period_id }) => period_id)
  const present = isStanding
    ? await listNumbersInMarkets(db, product_codes, period_ids, keys)
    : await listNumbersInPeriods(db, period_ids, keys)
  const codeOf = new Map(periods.map(({ period_id, period_code }) => [period_id, period_code]))
  return present
    .map((number): LimitRuleRow => {
      const { product_code, bet_type, quota_key, set_to, full_satang, half_satang } = number
      const isOffered = offeredBy.get(product_code)!.includes(bet_type)
      const before: NumberValue = { set_to, full_satang, half_satang }
      return {
        product_code,
        period_code: number.period_id === null ? null : codeOf.get(number.period_id)!,
        bet_type,
        number: quota_key,
        outcome: isOffered ? chooseOutcome(number, before, value) : 'not_offered',
        before,
        accepted_satang: number.accepted_satang,
        exception_count: number.exception_count,
      }
    })
    .toSorted((one, other) => compareNames(nameOf(one), nameOf(other)))
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

function chooseOutcome(
  { exception_count, period_count }: PresentNumber,
  before: NumberValue,
  value: NumberValue,
): LimitRuleRow['outcome'] {
  if (isSame(before, value)) return 'unchanged'
  return period_count > 0 && exception_count === period_count ? 'exception' : 'set'
}

function isSame(one: NumberValue, other: NumberValue): boolean {
  return one.set_to === other.set_to && one.full_satang === other.full_satang && one.half_satang === other.half_satang
}

const nameOf = (row: Pick<LimitRuleRow, 'product_code' | 'period_code' | 'bet_type' | 'number'>) =>
  `${row.product_code} ${row.period_code ?? ''} ${row.bet_type} ${row.number}`
const compareNames = (one: string, other: string) => (one < other ? -1 : Number(one > other))

async function writeRule(
  tx: Tx,
  actor_id: number,
  { target, value, reason }: LimitRuleCall,
  { keys, doubled }: RuleNumbers,
): Promise<LimitRuleResult> {
  await lockTarget(tx, target)
  const scope = await readScope(tx, target)
  const { isStanding: is_standing, until_date } = scope
  if (is_standing) await endPastRules(tx, scope.product_codes)
  const rows = await decideRows(tx, scope, keys, value)
  const offered = rows.filter(({ outcome }) => outcome !== 'not_offered')
  const idOf = new Map(scope.periods.map(({ period_id, period_code }) => [period_code, period_id]))
  const ruleRows = offered.map(({ product_code, period_code, bet_type, number }) => ({
    product_code,
    period_id: period_code === null ? null : idOf.get(period_code)!,
    bet_type,
    quota_key: number,
  }))
  // After the locks: of the rules of a period the last id decides, and this one lies above those that it has waited for.
  const rule_id = await insertRule(tx, { actor_id, value, is_standing, until_date, reason }, ruleRows)
  await verifyCallerAgain(tx)
  const after = { rule_id, ...withoutNulls(value), ...(until_date && { until_date }) }
  const records = [...groupByTarget(offered)].map(([subject, own]): AuditRecord => {
    return {
      actor_id,
      action: 'set_limit_rule',
      subject,
      before: { numbers: describeBefore(own) },
      after: { ...after, numbers: own.map(nameNumber) },
      reason,
    }
  })
  await writeAudits(tx, records)
  await insertRuleRows(tx, rule_id, ruleRows)
  const period_ids = scope.periods.map(({ period_id }) => period_id)
  await applyRules(tx, period_ids, keys)
  return { rule_id, rows, doubled, period_count: period_ids.length, ticket_count: null }
}

async function lockTarget(tx: Tx, target: RuleTarget): Promise<void> {
  // Batches in flight are waited for; later ones see what is set.
  if ('period_codes' in target) {
    await lockPeriods(tx, target.period_codes)
    return
  }
  await lockStandingRules(tx)
  await lockPeriodsToBetOf(tx, target.product_codes)
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

export interface UndoCall {
  request_id: string
  reason: string
}

/**
 * What `undoLimitRule` would do at the moment; writes nothing.
 * @throws Refusal as `undoLimitRule` does, except request_id_reused
 */
export async function previewLimitRuleUndo(db: Db, rule_id: number): Promise<UndoResult> {
  const rule = await findRule(db, rule_id, false)
  if (!rule) throw new Refusal('unknown_limit_rule')
  if (rule.is_undone) throw new Refusal('limit_rule_undone')
  return (await readUndo(db, rule_id)).result
}

/**
 * Takes a rule back. A number on which a later rule decides stays as that rule says. Periods that have
 * closed keep what they had.
 * @throws Refusal unknown_limit_rule, limit_rule_undone, limit_rule_over (it was for periods that have all closed),
 * request_id_reused
 */
export async function undoLimitRule(db: Db, actor_id: number, rule_id: number, call: UndoCall): Promise<UndoResult> {
  const { request_id, reason } = call
  const request = { actor_id, request_id, action: 'undo_limit_rule', content: { rule_id, reason } }
  return runOnce(db, request, async (tx) => {
    const rows = await listRuleRows(tx, rule_id)
    const product_codes = [...new Set(rows.map(({ product_code }) => product_code))]
    const found = await findRule(tx, rule_id, false)
    if (!found) throw new Refusal('unknown_limit_rule')
    // Periods before the row of the rule, as everywhere.
    if (found.is_standing) await lockTarget(tx, { product_codes, until_date: found.until_date })
    else await lockTarget(tx, { period_codes: [...new Set(rows.flatMap(({ period_code }) => period_code ?? []))] })
    const rule = (await findRule(tx, rule_id, true))!
    if (rule.is_undone) throw new Refusal('limit_rule_undone')
    const { result, period_ids } = await readUndo(tx, rule_id)
    await markUndone(tx, rule_id, actor_id, reason)
    await applyRules(tx, period_ids, uniqueKeysOf(rows))
    await verifyCallerAgain(tx)
    await writeAudits(tx, describeUndo(actor_id, rule_id, reason, result.rows))
    return result
  })
}

async function readUndo(db: Db, rule_id: number): Promise<{ result: UndoResult; period_ids: number[] }> {
  const { is_standing, until_date } = (await findRule(db, rule_id, false))!
  const rows = await listRuleRows(db, rule_id)
  const product_codes = [...new Set(rows.map(({ product_code }) => product_code))]
  const periods = is_standing
    ? await listPeriodsToBet(db, product_codes, until_date)
    : (await listPeriodRecords(db, [...new Set(rows.flatMap(({ period_code }) => period_code ?? []))])).filter(
        ({ status }) => status === 'open' || status === 'upcoming',
      )
  if (!is_standing && periods.length === 0) throw new Refusal('limit_rule_over')
  const left = is_standing ? await listAfterUndoInMarkets(db, rule_id) : await listAfterUndoInPeriods(db, rule_id)
  return {
    result: { rows: left.map(toUndoneRow), period_count: periods.length },
    period_ids: periods.map(({ period_id }) => period_id),
  }
}

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

function describeUndo(actor_id: number, rule_id: number, reason: string, rows: readonly UndoneRow[]): AuditRecord[] {
  return [...groupByTarget(rows)].map(([subject, own]) => ({
    actor_id,
    action: 'undo_limit_rule',
    subject,
    after: {
      rule_id,
      numbers: groupByState(own, ({ outcome, after }) => ({ outcome, ...withoutNulls(after) })),
    },
    reason,
  }))
}

/** The newest rules, undone ones too. @param before only rules before this one */
export async function listLimitRules(db: Db, before?: number): Promise<LimitRule[]> {
  const records = await listRules(db, before, RULES_A_PAGE)
  return records.map(({ set_to, full_satang, half_satang, set_at, undone_at, ...record }) => ({
    ...record,
    set_at: set_at.toISOString(),
    undone_at: undone_at?.toISOString() ?? null,
    value: { set_to, full_satang, half_satang },
  }))
}

/** What standing rules set in the next period of each market. @throws Refusal unknown_product */
export async function listStandingNumbers(db: Db, product_code?: string): Promise<StandingNumber[]> {
  if (product_code !== undefined) await getProduct(db, product_code)
  const records = await listStanding(db, product_code)
  return records.map(({ set_to, full_satang, half_satang, quota_key, ...record }) => ({
    ...record,
    number: quota_key,
    value: { set_to, full_satang, half_satang },
  }))
}
