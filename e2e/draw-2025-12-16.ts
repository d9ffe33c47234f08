// The real draw of 16 December 2025, and a ticket for it with winners and losers of every bet type.

import type { Bet, Draw } from './brute-force.ts'

export const draw: Draw & { top3: string } = {
  first_prize: '763895',
  top3: '895',
  front3: ['431', '176'],
  back3: ['014', '449'],
  bottom2: '52',
}

const baht = 100

function bets(bet_type: string, stakes: Record<string, number>): Bet[] {
  return Object.entries(stakes).map(([number, stake]) => ({ bet_type, number, bet_satang: stake * baht }))
}

/** In each row the last number loses. Numbers as keys keep their leading zeros only as text such as '014'. */
export const mixedTicket: readonly Bet[] = [
  ...bets('3top', { '895': 13, '896': 7 }),
  ...bets('3roll', { '589': 11, '958': 5, '599': 6 }),
  ...bets('3front', { '431': 17, '176': 9, '014': 5 }),
  ...bets('3bottom', { '014': 19, '449': 8, '431': 5 }),
  ...bets('2top', { '95': 21, '89': 10 }),
  ...bets('2bottom', { '52': 23, '25': 10 }),
  ...bets('2roll', { '98': 15, '85': 6, '88': 7 }),
  ...bets('1top', { '8': 33, '9': 12, '1': 10 }),
  ...bets('1bottom', { '5': 27, '2': 14, '8': 10 }),
]
