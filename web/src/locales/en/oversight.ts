import type { SameKeys } from '../catalogue.ts'
import type { messages as thai } from '../th/oversight.ts'

export const messages = {
  reason: 'Reason',
  reason_short: 'Please give a reason of at least {least} characters',
  bills: {
    title: 'Delete bills',
    search: 'Ticket, bet number or note',
    member: 'Member',
    order_id: 'Ticket ID',
    placed_at: 'Bet time',
    product_period: 'Product@period',
    net: 'Net',
    remove: 'Delete',
    delete: 'Delete ticket',
    void: 'Void after close',
    closed: 'Closed, cannot be deleted',
    settled: 'Settled, cannot be voided',
    period_void: 'The period is void and refunded',
    none: 'No ticket can be deleted',
    none_hint: 'Search by ticket number, note or member',
    sheet: 'Delete ticket {order_id}',
    void_sheet: 'Void ticket {order_id} after the close',
    whose: 'Ticket of {username}, net {amount} Baht',
    delete_hint: 'The credit goes back to the member at once. The ticket stays visible, with the reason',
    void_hint:
      'The period is closed: two office users must void the same ticket. The credit goes back when the second one has',
    requests: {
      title:
        '{count, plural, one {# ticket waits for a second office user} other {# tickets wait for a second office user}}',
      asked: '{username} asked to void it on {at}',
      yours: 'You asked. Another one must approve',
      above: 'A request waits above',
      approve: 'Approve voiding',
    },
    done: {
      deleted: 'Ticket {order_id} was deleted',
      requested: 'Ticket {order_id} waits for a second office user',
      voided: 'Ticket {order_id} was voided',
    },
  },
  awards: {
    title: 'Enter and correct results',
    two_people: 'Two office users must enter the same result. A difference locks the period for review',
    market: 'Market',
    period: 'Period',
    none: 'No period awaits a result or has one',
    with_spaces: 'With a space between',
    not_drawn: 'This period is drawn at {time}. Its result can be entered from then on',
    correction:
      'This period was paid already. A correction takes back what was paid wrongly, pays anew, and tells every member who has bet',
    enter: 'Enter result',
    correct: 'Correct result',
    field: {
      first_prize: 'First prize (6 digits)',
      top3: '3 top',
      bottom2: '2 bottom',
      front3: 'Front 3',
      back3: 'Back 3',
      reason: 'Reason for the correction',
    },
    problem: {
      bad_top3: '3 top must have 3 digits',
      bad_bottom2: '2 bottom must have 2 digits',
      bad_first_prize: 'The first prize must have 6 digits',
      top3_differs: '3 top is not the end of the first prize',
      bad_front3: 'Front 3: numbers are missing or have not 3 digits',
      bad_back3: 'Back 3: numbers are missing or have not 3 digits',
      reason: 'Please give a reason of at least 3 characters',
    },
    state: {
      entered: 'Noted. A second office user must enter the same',
      agreed: 'Both are the same. The prizes are being paid',
    },
  },
  shares: {
    share: 'Share',
    rest: 'The rest is the company’s',
    hint: 'Holds for periods that open from now on. Tickets that were taken keep their shares',
    save: 'Save',
    field: { position: 'Position (%)', commission: 'Commission (%)', reason: 'Reason' },
    problem: {
      position: 'Must be 0 to 100 in steps of 0.5',
      commission: 'Must be 0 to 100 with at most 2 decimals',
      reason: 'Please give a reason of at least 3 characters',
    },
  },
} as const satisfies SameKeys<typeof thai>
