import type { SameKeys } from '../catalogue.ts'
import type { messages as thai } from '../th/awards.ts'

export const messages = {
  title: 'Awards',
  draws: 'Draws',
  drawn_on: 'Draw of',
  first_prize: 'First prize',
  front3: 'Front 3',
  back3: 'Back 3',
  last2: 'Last 2',
  others: 'Latest results of other markets',
  market: 'Market',
  top3: '3 top',
  bottom2: '2 bottom',
  none: 'No result yet',
  none_hint: 'Results show here once they are drawn',
} as const satisfies SameKeys<typeof thai>
