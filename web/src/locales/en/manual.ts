import type { SameKeys } from '../catalogue.ts'
import type { messages as thai } from '../th/manual.ts'

export const messages = {
  title: 'Manual',
  how_to: {
    title: 'How to bet',
    choose: 'Choose an open market on the Bet page',
    rate: 'Pick a reward rate. “See rates” shows what it pays, its discounts and limits',
    numbers: 'Enter a number of 1 to 3 digits, then amounts where you want them. Cells that do not apply are shut',
    send: 'Check the net total below and press “Send ticket”. You get a ticket number once it is received',
    result: 'Bills shows your tickets and their status. Wins go to your credit and stand in Reports',
  },
  keys: {
    title: 'By keyboard',
    enter: 'Enter or the right arrow goes to the next cell that applies',
    arrows: 'The up and down arrows go to the row above or below',
    paste: 'Ctrl+V takes a whole block from a spreadsheet or a chat',
  },
  rates: {
    title: 'Rates and discounts',
    text: 'A rate says how many times the received bet is paid. The rate at acceptance holds for that ticket for ever',
    example: 'A bet of {stake} Baht at {rate} per Baht wins {win} Baht',
    discount: 'A discount is taken off the bet at once. The net total is what is debited from your credit',
  },
  types: {
    title: 'Bet types and examples',
    sample:
      'Thai government draw of 16 December 2025: first prize {first_prize} · front {front3} · back {back3} · last two {bottom2}',
    type: 'Type',
    winning: 'Winning numbers',
    rule: {
      '3top': 'The last three digits of the first prize',
      '3roll': 'The same three digits in any order',
      '3front': 'One of the front 3 numbers',
      '3bottom': 'One of the back 3 numbers',
      '2top': 'The last two of the 3 top',
      '2bottom': 'The last 2 prize',
      '2roll': 'Both digits lie in the 3 top, in any order',
      '1top': 'The digit lies in the 3 top',
      '1bottom': 'The digit lies in the last 2',
    },
  },
} as const satisfies SameKeys<typeof thai>
