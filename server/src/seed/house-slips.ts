// The content of one ticket of a demo member: numbers, bet types, stakes.

import { type BetTypeCode, expandNineteenDoors, expandSixDoors, slotOf } from '@megalot/rules'
import type { MemberHabit } from './house-habits.ts'
import { type DemoNumberSetting, type PopularNumbers } from './house-quotas.ts'
import { createRandom, type Random } from './random.ts'

export interface RequestedLine {
  bet_type: BetTypeCode
  number: string
  bet_satang: number
}

export interface SlipScene {
  bet_types: readonly BetTypeCode[]
  popular: PopularNumbers
  /** Numbers that are half or closed: most members see that and choose another. */
  settings: readonly DemoNumberSetting[]
}

/** Stakes in Baht with their weights. */
const stakes: Readonly<Record<1 | 2 | 3, readonly (readonly [number, number])[]>> = {
  1: [
    [20, 30],
    [50, 40],
    [100, 25],
    [200, 5],
  ],
  2: [
    [5, 12],
    [10, 30],
    [20, 28],
    [50, 19],
    [100, 9],
    [200, 2],
  ],
  3: [
    [5, 30],
    [10, 38],
    [20, 22],
    [50, 8],
    [100, 2],
  ],
}

type EntryKind = 'two_both' | 'two_one' | 'two_roll' | 'three_both' | 'three_front' | 'doors_6' | 'doors_19' | 'run'

const entryKinds: readonly (readonly [EntryKind, number])[] = [
  ['two_both', 52],
  ['two_one', 14],
  ['two_roll', 2],
  ['three_both', 16],
  ['three_front', 3],
  ['doors_6', 3],
  ['doors_19', 2],
  ['run', 8],
]

const entryCounts: readonly (readonly [number, number])[] = [
  [1, 30],
  [2, 28],
  [3, 20],
  [4, 12],
  [6, 7],
  [9, 3],
]

/** A member's favourite numbers. */
const favourites = new Map<string, PopularNumbers>()

function favouritesOf(username: string): PopularNumbers {
  const known = favourites.get(username)
  if (known) return known
  const random = createRandom(`favourite numbers of ${username}`)
  const draw = (count: number, digits: number): string[] =>
    Array.from({ length: count }, () => String(random.between(0, 10 ** digits - 1)).padStart(digits, '0'))
  const drawn = { twos: draw(5, 2), threes: draw(3, 3) }
  favourites.set(username, drawn)
  return drawn
}

/** The lines of a ticket, without duplicates. */
export function makeSlip(random: Random, habit: MemberHabit, scene: SlipScene): RequestedLine[] {
  const lines = new Map<number, RequestedLine>()
  const add = (bet_type: BetTypeCode, number: string, bet_satang: number): void => {
    if (!scene.bet_types.includes(bet_type)) return
    const isRestricted = scene.settings.some((one) => one.bet_type === bet_type && one.number === number)
    if (isRestricted && random.chance(0.85)) return
    lines.set(slotOf(bet_type, number), { bet_type, number, bet_satang })
  }
  const count = random.pickWeighted(entryCounts)
  for (let entry = 0; entry < count; entry += 1) addEntry(random, habit, scene, add)
  // All chosen numbers were closed.
  return lines.size > 0 ? [...lines.values()] : makeSlip(random, habit, scene)
}

function addEntry(
  random: Random,
  habit: MemberHabit,
  { popular }: SlipScene,
  add: (bet_type: BetTypeCode, number: string, bet_satang: number) => void,
): void {
  const stake = (digits: 1 | 2 | 3): number => {
    // Stakes on three digits are low.
    const scale = digits === 3 ? Math.min(1, habit.stake_scale) : habit.stake_scale
    return Math.max(5, Math.round((random.pickWeighted(stakes[digits]) * scale) / 5) * 5) * 100
  }
  const two = (): string => pickNumber(random, 2, popular.twos, favouritesOf(habit.username).twos)
  const three = (): string => pickNumber(random, 3, popular.threes, favouritesOf(habit.username).threes)
  const addBoth = (types: readonly [BetTypeCode, BetTypeCode], number: string, bet_satang: number): void => {
    for (const bet_type of types) add(bet_type, number, bet_satang)
  }
  switch (random.pickWeighted(entryKinds)) {
    case 'two_both':
      return addBoth(['2top', '2bottom'], two(), stake(2))
    case 'two_one':
      return add(random.pick(['2top', '2bottom'] as const), two(), stake(2))
    case 'two_roll':
      return add('2roll', two(), stake(2))
    case 'three_both':
      return addBoth(['3top', '3roll'], three(), stake(3))
    case 'three_front':
      return addBoth(['3front', '3bottom'], three(), stake(3))
    case 'doors_6':
      return expandSixDoors(three()).forEach((number) => add('3top', number, 500))
    case 'doors_19':
      return expandNineteenDoors(String(random.between(0, 9))).forEach((number) => add('2top', number, 1_000))
    case 'run':
      return add(random.pick(['1top', '1bottom'] as const), String(random.between(0, 9)), stake(1))
  }
}

/** Some bets go on popular numbers, a third on the member's favourites. */
function pickNumber(random: Random, digits: 2 | 3, popular: readonly string[], own: readonly string[]): string {
  const chosen = random.next()
  if (chosen < 0.15) return random.pick(popular)
  if (chosen < 0.45) return random.pick(own)
  return String(random.between(0, 10 ** digits - 1)).padStart(digits, '0')
}
