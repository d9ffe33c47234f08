import type { SameKeys } from '../../lib/i18n/messages.ts'
import type { messages as thai } from './print.th.ts'

export const messages = {
  print: 'Print',
  back: 'Back',
  at: 'printed {time}',
  index: {
    title: 'Print',
    text: 'There is no paper on this page itself. Choose what to print, and press “Print” there',
    ticket: { title: 'A ticket', from: 'On the Tickets page: open the ticket' },
    win_loss: { title: 'Win/loss by period', from: 'Reports, for the days and markets chosen there' },
    balance: { title: 'Credit history', from: 'Reports, tab Credit history' },
    summary: { title: 'Summary', from: 'Reports, tab Summary' },
    to_main: 'To the main page',
  },
} as const satisfies SameKeys<typeof thai>
