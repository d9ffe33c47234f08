// Numbers in a row: which of them are bet on, and which are amounts.

import type { ChatReason, RawBet } from './chat-bet.ts'
import { isSign, type NumberToken, type Token } from './chat-tokens.ts'
import type { Run } from './chat-price.ts'

/** What the lines above a line say about it. */
export interface Above {
  /** Whether one column is named. */
  isSingle: boolean
  /** Whether a price is given for numbers. */
  isPriced: boolean
}

type Doubts = Set<ChatReason>

/** Whether digits are a usual amount: whole fives. */
export function isRound(digits: string): boolean {
  return !digits.startsWith('0') && Number(digits) % 5 === 0
}

function isUniform(values: readonly (string | number)[]): boolean {
  return new Set(values).size <= 1
}

function lengthsOf(numbers: readonly NumberToken[]): readonly number[] {
  return numbers.map(({ text }) => text.length)
}

/** The numbers of a run before a price mark, with doubts about how they are joined. */
export function joinNumbers({ numbers, joints }: Run, isGlued: boolean, doubts: Doubts): readonly string[] {
  const texts = numbers.map(({ text }) => text)
  const [first = '', second = ''] = texts
  if (texts.length === 1) return texts
  if (!isUniform(lengthsOf(numbers))) {
    // "1 12=50" and "3-45=20" begin with a list index.
    const isIndex =
      first.length === 1 && second.length > 1 && joints[0] !== ',' && isUniform(lengthsOf(numbers.slice(1)))
    doubts.add(isIndex ? 'list_index' : 'several_readings')
    return isIndex ? texts.slice(1) : texts
  }
  if (!isUniform(joints) || joints[0] === '+') doubts.add('several_readings')
  if (texts.length > 2) return texts
  const [joint] = joints
  const isRange = joint === '-' && first.endsWith('0') && second.endsWith('9')
  // "1. 12=50" and "12 13=50" may begin with a list index.
  if (isRange || joint === '.' || (joint === ' ' && isGlued)) doubts.add('several_readings')
  return texts
}

/**
 * How many numbers of a run before `*` are bet on; the last one may be the first amount.
 *
 *   12-50*20 → 12      46-47*20 under one column → 46 47      12-21-13 50*50 → 12 21 13      123 50*50 → 123
 */
export function countBeforeStar(run: Run, tokens: readonly Token[], above: Above, doubts: Doubts): number {
  const { numbers, joints, end } = run
  const count = numbers.length
  if (count === 1) return 1
  const [first] = numbers as [NumberToken]
  const last = numbers[count - 1] as NumberToken
  const later = tokens[end + 1]
  const isAmount = isRound(last.text)
  if (isUniform(lengthsOf(numbers.slice(0, -1))) && last.text.length !== first.text.length) {
    const isUsual = (count === 2 ? [' ', '-', '/'] : [' ']).includes(joints[count - 2] as string)
    if (!isAmount || !isUsual || first.text.length === 1 || !isUniform(joints.slice(0, -1)))
      doubts.add('several_readings')
    return count - 1
  }
  if (!isUniform(lengthsOf(numbers))) doubts.add('several_readings')
  if (count === 2) return countOfTwo(first.text, last.text, joints[0] as string, later, above, doubts)
  const [joint] = joints as [string]
  const lastJoint = joints[count - 2]
  if (joint !== ' ' && lastJoint === ' ' && isUniform(joints.slice(0, -1))) {
    if (!isAmount) doubts.add('several_readings')
    return count - 1
  }
  if (isAmount || joint === ' ' || !isUniform(joints)) doubts.add('several_readings')
  const isOneLater = !isSign(tokens[end + 2], '*', 'x')
  return isAmount && joint === ' ' && isOneLater ? count - 1 : count
}

function countOfTwo(
  first: string,
  last: string,
  joint: string,
  later: Token | undefined,
  above: Above,
  doubts: Doubts,
): 1 | 2 {
  const isAmount = isRound(last)
  if (above.isSingle) {
    if (isAmount || joint === ' ') doubts.add('several_readings')
    return 2
  }
  if (!isAmount) doubts.add('several_readings')
  else if (Number(first) % 10 === 0 || later?.kind !== 'number' || !isRound(later.text)) doubts.add('several_readings')
  return isAmount ? 1 : 2
}

/** A run without any price mark, read as bets or as numbers whose price is elsewhere. */
export interface FreeRun {
  /** The bets, where the later numbers look like amounts. */
  bets: readonly RawBet[]
  /** The numbers, where all look like numbers. */
  numbers: readonly string[]
}

/** Reads a run that makes a whole line: "12 21 13", "12/50/20", "12 100", "12-100, 13-100". */
export function readFreeRun({ numbers, joints }: Run, above: Above, doubts: Doubts): FreeRun | ChatReason {
  const texts = numbers.map(({ text }) => text)
  const isList = isUniform(lengthsOf(numbers)) && (texts[0] as string).length <= 3
  if (texts.length === 1) return { bets: [], numbers: texts }
  if (isList && above.isPriced) return { bets: [], numbers: texts }
  const groups = splitGroups(texts, joints)
  if (groups === null) {
    if (!isList) return 'several_readings'
    doubts.add('several_readings')
    return { bets: [], numbers: texts }
  }
  const isPriced = groups.every(([number = '', ...amounts]) =>
    amounts.every((amount) => isRound(amount) && (amounts.length < 3 || amount.length !== number.length)),
  )
  if (!isPriced) {
    if (isList) return { bets: [], numbers: texts }
    return 'several_readings'
  }
  if (groups.some((group) => group.length > 4)) return isList ? { bets: [], numbers: texts } : 'several_readings'
  if (groups.length > 1 || isDoubtful(groups[0] as readonly string[], joints)) doubts.add('several_readings')
  const bets = groups.map(([number, ...amounts]): RawBet => ({
    numbers: [number as string],
    groups: [{ columns: null, amounts: amounts.map(Number) }],
    mode: null,
    reverse: null,
    digits: null,
  }))
  // "12,500" and "12.50" may be sums.
  if (texts.length === 2 && (joints[0] === ',' || joints[0] === '.') && !numbers[1]?.gap) return 'unclear_amount'
  return { bets, numbers: isList ? texts : [] }
}

/** Whether a number with amounts, all joined in one way, may be a list of numbers or other columns. */
function isDoubtful([number = '', ...amounts]: readonly string[], joints: readonly string[]): boolean {
  if (number.length === 1 || !isUniform(joints)) return true
  const isOther = amounts.every((amount) => amount.length !== number.length && Number(amount) % 10 === 0)
  // Without "*" the second amount of three digits may be for 3 below.
  if (isOther) return joints[0] === ',' || joints[0] === '.' || (number.length === 3 && amounts.length > 1)
  // "12/50/20".
  return !(
    joints[0] === '/' &&
    amounts.length === 2 &&
    number.length === 2 &&
    Number(number) % 10 !== 0 &&
    amounts.every((amount) => Number(amount) % 10 === 0)
  )
}

/** Splits a run at its outer sign: "12-50, 13-20" at ",". `null` if the parts have different forms. */
function splitGroups(texts: readonly string[], joints: readonly string[]): readonly (readonly string[])[] | null {
  if (isUniform(joints)) return [texts]
  const [inner] = joints
  const outer = joints.find((joint) => joint !== inner)
  const groups: string[][] = [[texts[0] as string]]
  for (const [place, joint] of joints.entries()) {
    if (joint !== inner && joint !== outer) return null
    const text = texts[place + 1] as string
    if (joint === outer) groups.push([text])
    else (groups.at(-1) as string[]).push(text)
  }
  const [first] = groups as [string[]]
  if (groups.some((group) => group.length !== first.length)) {
    // "12-100/50": one number, its amounts joined by another sign.
    return joints.slice(1).every((joint) => joint === outer) ? [texts] : null
  }
  return groups
}
