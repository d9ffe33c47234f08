import type { SameKeys } from '../../../lib/i18n/messages.ts'
import type { messages as thai } from './results.th.ts'

export const messages = {
  no_entry: {
    void: 'This period is void: it takes no result',
    open: 'This period still takes bets. Its result can be entered after the draw',
    upcoming: 'This period is not open yet',
  },
  title: 'Enter results',
  two_people: 'Two office users must enter the same result. A difference locks the period for review',
  market: 'Market',
  period: 'Period',
  none: 'No period awaits a result or has one',
  not_drawn: 'This period is drawn at {time}. Its result can be entered from then on',
  paid_result: 'Confirmed and paid: {result}',
  correction:
    'This period was paid already. A correction takes back what was paid wrongly, pays anew, and tells every member who has bet',
  enter: 'Enter result',
  begin_correction: 'Correct this result …',
  correct: 'Correct result',
  published_digits: 'Drawn number ({digits} digits)',
  field: {
    first_prize: 'First prize (6 digits)',
    published: 'Drawn number',
    top3: '3 top',
    bottom2: '2 bottom',
    front3: 'Front 3',
    back3: 'Back 3',
    reason: 'Reason for the correction',
  },
  problem: {
    bad_top3: '3 top must have 3 digits',
    bad_bottom2: '2 bottom must have 2 digits',
    bad_first_prize: 'The drawn number does not have all its digits',
    top3_differs: '3 top is not the end of the drawn number',
    bottom2_differs: '2 bottom is not in its place of the drawn number',
    bad_front3: 'Front 3: numbers are missing or have not 3 digits',
    bad_back3: 'Back 3: numbers are missing or have not 3 digits',
  },
  state: {
    agreed: 'Both are the same. The prizes are being paid',
  },
  preview: {
    title: 'What this result pays',
    pays: '{tickets, plural, one {# ticket} other {# tickets}} of {members, plural, one {# member} other {# members}} win {paid} Baht',
    corrects:
      '{tickets, plural, one {# ticket} other {# tickets}} of {members, plural, one {# member} other {# members}} change: {taken} Baht are taken back, {paid} Baht are paid',
    difference:
      'All together members get {amount} Baht. The table has only the lines that change; a ticket is taken back and paid as a whole',
    losing: '{count, plural, one {# member has less afterwards} other {# members have less afterwards}}',
    book_differs: 'The book says {amount} Baht. Do not send it before somebody has resolved the difference',
    house: 'Left to the house: {amount} Baht',
    bet_type: 'Bet type',
    lines: 'Winning lines',
    amount: 'Pays',
    lost: 'Win no longer',
  },
  queue: {
    label: 'Results to enter',
    due: '{count, plural, one {# result to enter} other {# results to enter}}',
    next: 'Next: {name}',
    minutes: 'in {left, number} min',
    hours: 'in {hours, number} h {left, number} min',
    go: 'Next: {name}',
    last: 'No more results to enter. Back to today',
  },
  entries: {
    own: 'You have entered it. Another office user must enter the same',
    of_same_person:
      '{username} has entered it, and counts as the same person as you. Somebody else must enter the same',
    of_another: '{username} has entered it. Please type the numbers from the announcement',
    own_result: 'Your entry: {result}',
    mistyped: 'It was mistyped',
    remove: 'Remove and enter again',
    differ: 'The two entries differ',
    differ_hint: 'Compare both with the announcement. When they are removed, two office users enter the result again',
    differs: 'differs',
    field: 'Number',
  },
} as const satisfies SameKeys<typeof thai>
