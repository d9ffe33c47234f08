// The lines of a chat by what becomes of them, and the confirmations of the unsure ones.

import type { ChatBet, ChatLine, Stake } from '@megalot/rules'

export interface SortedLines {
  /** Refused lines. They are not bet. */
  unread: readonly ChatLine[]
  /** Lines that are bet only if the member confirms them; confirmed ones stay here. */
  unsure: readonly ChatLine[]
  /** Lines that will be bet: sure and confirmed ones, in the order of the text. */
  bets: readonly ChatLine[]
  /** Names, times, totals and other lines without bets of their own. */
  aside: readonly ChatLine[]
  /** The items of `bets`. */
  items: readonly ChatBet[]
}

/** Line numbers of the unsure lines that the member has confirmed. */
export type Confirmed = ReadonlySet<number>

export function sortLines(lines: readonly ChatLine[], confirmed: Confirmed): SortedLines {
  const bets = lines.filter((line) => line.kind === 'bet' && (line.is_sure || confirmed.has(line.line_no)))
  return {
    unread: lines.filter(({ kind }) => kind === 'unread'),
    unsure: lines.filter(({ kind, is_sure }) => kind === 'bet' && !is_sure),
    bets,
    aside: lines.filter(({ kind }) => kind === 'aside'),
    items: bets.flatMap((line) => line.bets),
  }
}

/**
 * The confirmations after a change of the text. A confirmation belongs to a line, its text and its reading: it stays if
 * the change is above or below the line and leaves the reading as it was.
 */
export function carryConfirmed(
  before: readonly ChatLine[],
  after: readonly ChatLine[],
  confirmed: Confirmed,
): Confirmed {
  if (confirmed.size === 0) return confirmed
  const shorter = Math.min(before.length, after.length)
  let above = 0
  while (above < shorter && isSameLine(before[above], after[above])) above += 1
  let below = 0
  while (below < shorter - above && isSameLine(before.at(-1 - below), after.at(-1 - below))) below += 1
  const isConfirmed = (line: ChatLine | undefined): boolean => line !== undefined && confirmed.has(line.line_no)
  return new Set(
    after.flatMap(({ line_no }, place) => {
      if (place < above) return isConfirmed(before[place]) ? [line_no] : []
      const fromEnd = after.length - place
      return fromEnd <= below && isConfirmed(before.at(-fromEnd)) ? [line_no] : []
    }),
  )
}

function isSameLine(one: ChatLine | undefined, other: ChatLine | undefined): boolean {
  return (
    one !== undefined &&
    other !== undefined &&
    one.text === other.text &&
    one.kind === other.kind &&
    one.is_sure === other.is_sure &&
    one.reason === other.reason &&
    one.bets.length === other.bets.length &&
    one.bets.every((bet, place) => isSameBet(bet, other.bets[place] as ChatBet))
  )
}

function isSameBet(one: ChatBet, other: ChatBet): boolean {
  return one.number === other.number && one.bet_type === other.bet_type && one.bet_satang === other.bet_satang
}

/** Numbers of a line that have the same stakes. */
export interface NumberGroup {
  numbers: readonly string[]
  stakes: readonly Stake[]
}

/** The items of a line by number, with numbers of equal stakes together: "12 21, 2 top 50, 2 bottom 20". */
export function groupNumbers(bets: readonly ChatBet[]): readonly NumberGroup[] {
  const stakesOf = new Map<string, Stake[]>()
  for (const { number, ...stake } of bets) {
    const stakes = stakesOf.get(number)
    if (stakes === undefined) stakesOf.set(number, [stake])
    else stakes.push(stake)
  }
  const groups = new Map<string, { numbers: string[]; stakes: NumberGroup['stakes'] }>()
  for (const [number, stakes] of stakesOf) {
    const key = stakes.map(({ bet_type, bet_satang }) => `${bet_type} ${bet_satang}`).join(' ')
    const group = groups.get(key)
    if (group === undefined) groups.set(key, { numbers: [number], stakes })
    else group.numbers.push(number)
  }
  return [...groups.values()]
}
