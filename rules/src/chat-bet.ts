// The parts of a chat bet, and the items they make.

import type { BetTypeCode } from './bet-type-code.ts'
import { betTypeByCode } from './bet-type.ts'
import type { ColumnName, ModeName } from './chat-words.ts'
import { getEntryMode, makeEntryLines, type EntryModeCode } from './entry-mode.ts'
import { MAX_LINE_SATANG } from './slip.ts'
import { betTypeOfColumn, type StakeColumn } from './stake-column.ts'

/** Why a line is unsure, unread or set aside. */
export type ChatReason =
  // Set aside:
  /** Names a column for the lines below. */
  | 'column'
  /** A price for lines above or below. */
  | 'price'
  | 'total'
  | 'name'
  /** A date or a time. */
  | 'time'
  /** A telephone or account number. */
  | 'contact'
  | 'greeting'
  | 'market'
  | 'ruler'
  /** A list index alone. */
  | 'index'
  /** Payments, results and other news. */
  | 'note'
  // Unsure:
  /** No word says which column the price is for. */
  | 'no_column'
  /** The column is named further above, or in another line. */
  | 'column_above'
  /** More than one reading is reasonable. */
  | 'several_readings'
  | 'unknown_word'
  /** The price stands in a line of its own that may also be read as a number. */
  | 'price_apart'
  /** Thousands or decimals. */
  | 'unclear_amount'
  /** The text names more than one market. */
  | 'several_markets'
  // Unsure or unread:
  /** The line changes or cancels other bets, or another line changes this one. */
  | 'instruction'
  | 'date_or_time'
  | 'list_index'
  // Unread:
  | 'unknown_digit'
  | 'bad_number'
  | 'negative'
  | 'no_amount'
  | 'amount_too_large'
  | 'price_line'
  | 'column_not_offered'

/** A price and the columns it is for; `null` where the line names none. */
export interface PriceGroup {
  columns: readonly ColumnName[] | null
  amounts: readonly number[]
}

/** Numbers that share prices. */
export interface RawBet {
  numbers: readonly string[]
  groups: readonly PriceGroup[]
  mode: ModeName | null
  /** Baht for the reversed number, where it differs. */
  reverse: number | null
  /** Digits that the line names, as in "2 ตัว". */
  digits: number | null
}

export interface ChatBet {
  number: string
  bet_type: BetTypeCode
  bet_satang: number
}

interface Stake {
  column: StakeColumn
  baht: number
}

export interface Items {
  bets: readonly ChatBet[]
  doubts: ReadonlySet<ChatReason>
}

/** Collects doubts while a bet becomes items. A `null` result means that it cannot be read. */
type Doubts = Set<ChatReason>

/** The items of a bet, or why it cannot be read. */
export function makeItems(raw: RawBet, offered: readonly BetTypeCode[]): Items | ChatReason {
  const doubts: Doubts = new Set()
  const bets: ChatBet[] = []
  const seen = new Set<string>()
  const keys = new Set<string>()
  for (const number of raw.numbers) {
    if (seen.has(number)) {
      // A number typed twice may be one bet or two.
      doubts.add('several_readings')
      continue
    }
    seen.add(number)
    const mode = findMode(raw.mode, number, doubts)
    if (mode === undefined) return 'several_readings'
    const length = mode === 'nineteen_doors' || isRow(mode) ? 2 : number.length
    const stakes = makeStakes(raw, length, mode === 'six_doors', doubts)
    if (stakes === null) return 'several_readings'
    const from = bets.length
    for (const stake of stakes) {
      const made = makeNumbers(number, mode, stake, doubts)
      const reason = typeof made === 'string' ? made : made.map((bet) => checkBet(bet, offered)).find(Boolean)
      if (reason) return reason
      for (const bet of made as readonly ChatBet[]) {
        const key = `${bet.bet_type} ${bet.number}`
        // "12-21 กลับ" makes each number twice.
        if (keys.has(key)) doubts.add('several_readings')
        else bets.push(bet)
        keys.add(key)
      }
    }
    if (raw.reverse !== null) {
      for (const bet of bets.slice(from)) if (bet.number !== number) bet.bet_satang = raw.reverse * 100
    }
  }
  return bets.length === 0 ? 'no_amount' : { bets, doubts }
}

function checkBet({ bet_type, bet_satang }: ChatBet, offered: readonly BetTypeCode[]): ChatReason | null {
  if (bet_satang > MAX_LINE_SATANG) return 'amount_too_large'
  return offered.includes(bet_type) ? null : 'column_not_offered'
}

function isRow(mode: EntryModeCode | 'reverse' | null): boolean {
  return mode === 'fix_front' || mode === 'fix_back'
}

/** The entry mode for a number; `undefined` if the mode does not fit it. */
function findMode(mode: ModeName | null, number: string, doubts: Doubts): EntryModeCode | 'reverse' | null | undefined {
  const { length } = number
  switch (mode) {
    case null:
      return null
    case 'reverse':
      if (length === 2) return 'reverse'
      // Some mean all orders by it, others only the number backwards.
      doubts.add('several_readings')
      return length === 3 ? 'six_doors' : undefined
    case 'set':
    case 'doors':
      if (mode === 'set' || length !== 3) doubts.add('several_readings')
      if (length === 3) return 'six_doors'
      return length === 2 ? 'reverse' : 'nineteen_doors'
    case 'nineteen':
      return length === 1 ? 'nineteen_doors' : undefined
    case 'row':
      doubts.add('several_readings')
      return length === 1 ? 'nineteen_doors' : undefined
    case 'row_front':
      return length === 1 ? 'fix_front' : undefined
    default:
      return length === 1 ? 'fix_back' : undefined
  }
}

/** The bets of one number on one column. */
function makeNumbers(
  number: string,
  mode: EntryModeCode | 'reverse' | null,
  { column, baht }: Stake,
  doubts: Doubts,
): readonly ChatBet[] | ChatReason {
  const bet_satang = baht * 100
  if (mode !== null && mode !== 'reverse') {
    // A roll wins in every order already.
    if (column === 'roll') doubts.add('several_readings')
    const lines = makeEntryLines(getEntryMode(mode), number, {}, { [column]: bet_satang })
    return lines.length === 0 ? 'column_not_offered' : lines.map((line) => ({ ...line }))
  }
  const bet_type = betTypeOfColumn(number.length, column)
  if (bet_type === null) return 'column_not_offered'
  const bet = { number, bet_type, bet_satang }
  const turned = mode === null ? number : [...number].toReversed().join('')
  if (mode === 'reverse' && column === 'roll') doubts.add('several_readings')
  const isSame = betTypeByCode[bet_type].quotaKey(turned) === betTypeByCode[bet_type].quotaKey(number)
  // "11 กลับ" reverses nothing, so the number or the word may be wrong.
  if (mode === 'reverse' && turned === number) doubts.add('several_readings')
  return isSame ? [bet] : [bet, { ...bet, number: turned }]
}

/** The stakes of all groups for numbers of this length; `null` if they contradict each other. */
function makeStakes(
  { groups, digits }: RawBet,
  length: number,
  isDoors: boolean,
  doubts: Doubts,
): readonly Stake[] | null {
  const stakes: Stake[] = []
  for (const { columns, amounts } of groups) {
    // Without a column, doors of three digits are for top.
    const named = columns === null && isDoors && amounts.length === 1 ? (['top'] as const) : columns
    const found = assignColumns(named, amounts, length, digits, doubts)
    if (found === null) return null
    for (const stake of found) {
      if (stakes.some(({ column }) => column === stake.column)) return null
      if (stake.baht > 0) stakes.push(stake)
    }
  }
  return stakes
}

/** Gives each amount of a group its column; `null` if there is no reasonable way. */
function assignColumns(
  columns: readonly ColumnName[] | null,
  amounts: readonly number[],
  length: number,
  digits: number | null,
  doubts: Doubts,
): readonly Stake[] | null {
  if (columns === null) return assignUnnamed(amounts, length, doubts)
  const named = nameColumns(columns, length, digits, doubts)
  if (named === null) return null
  const [first] = amounts
  if (amounts.length === 1) {
    // "3 ตัวบนโต๊ด" may mean roll alone.
    if (columns.includes('top') && named.includes('roll')) doubts.add('several_readings')
    return named.map((column) => ({ column, baht: first as number }))
  }
  if (amounts.length === named.length) {
    // "ล่าง บน 50*20" names the columns against the usual order.
    if (named[0] === 'bottom') doubts.add('several_readings')
    if (length === 3 && named.includes('bottom')) doubts.add('several_readings')
    return named.map((column, place) => ({ column, baht: amounts[place] as number }))
  }
  // Under one column the second amount may be for another column, or for the number reversed.
  doubts.add('several_readings')
  return assignUnnamed(amounts, length, doubts)
}

/** The usual columns of amounts without words: 2 digits top and bottom, 3 digits top and roll. */
function assignUnnamed(amounts: readonly number[], length: number, doubts: Doubts): readonly Stake[] | null {
  const usual: readonly StakeColumn[] =
    length === 3 ? ['top', 'roll', 'bottom'] : length === 2 ? ['top', 'bottom', 'roll'] : ['top', 'bottom']
  if (amounts.length > usual.length) return null
  if (amounts.length === 1) doubts.add('no_column')
  else if (amounts.length !== 2 || length === 1) doubts.add('several_readings')
  // "12=0*50" names its column by the place; "123=0*50" is rare.
  if (length !== 2 && amounts.includes(0)) doubts.add('several_readings')
  return amounts.map((baht, place) => ({ column: usual[place] as StakeColumn, baht }))
}

/** The columns that words name for numbers of this length; `null` if they name none. */
function nameColumns(
  names: readonly ColumnName[],
  length: number,
  digits: number | null,
  doubts: Doubts,
): readonly StakeColumn[] | null {
  const isRun = names.includes('run')
  // "บนตรง" is one column.
  const others = names.filter((name) => name !== 'run' && !(name === 'straight' && names.includes('top')))
  if (isRun && length !== 1) return null
  if (digits !== null && digits !== length) doubts.add('several_readings')
  if (others.length === 0) {
    doubts.add('no_column')
    return ['top']
  }
  const columns = others.map((name) => toColumn(name, length, digits, doubts))
  if (columns.includes(null) || new Set(columns).size < columns.length) return null
  return columns as StakeColumn[]
}

function toColumn(name: ColumnName, length: number, digits: number | null, doubts: Doubts): StakeColumn | null {
  switch (name) {
    case 'top':
      return 'top'
    case 'straight':
      if (length === 2) doubts.add('several_readings')
      return length === 1 ? null : 'top'
    case 'bottom':
      // Few markets have three digits below.
      if (length === 3 && digits !== 3) doubts.add('several_readings')
      return 'bottom'
    case 'roll':
      if (length === 2 && digits !== 2) doubts.add('several_readings')
      return length === 1 ? null : 'roll'
    case 'front':
      return length === 3 ? 'front' : null
    case 'back':
      return length === 3 ? 'bottom' : null
    default:
      return null
  }
}
