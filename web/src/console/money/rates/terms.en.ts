import type { SameKeys } from '../../../lib/i18n/messages.ts'
import type { messages as thai } from './terms.th.ts'

export const messages: SameKeys<typeof thai> = {
  title: 'Rates and shares',
  shares: 'Shares and commission are set on the page of each person.',
  to_people: 'Members and line',
  text: 'The return is the part of the stakes that members get back on average, as prizes and discount. Above 100 % it needs two people, above 120 % it is refused. Changes hold for new tickets only',
  none: 'There is no package yet',
  package: 'Market and package',
  field: {
    rate: 'Pays per Baht',
    discount: 'Discount (%)',
    min: 'Least stake (Baht)',
    max: 'Highest stake (Baht)',
    max_per_number: 'Highest per number (Baht)',
  },
  is_on: 'Accepts bets',
  return: 'Theoretical return {rate}',
  no_return: 'Theoretical return –',
  bound: { approved: 'above 100 %, needs a second person', refused: 'above 120 %, refused' },
  problem: {
    rate: 'Must be 0 to 100,000 with at most 2 decimals',
    discount: 'Must be 0 to 100 with at most 2 decimals',
    amount: 'Must be whole Baht from 1',
    order: 'Must not be less than the field before',
    refused: 'The return is above 120 %, so it cannot be set',
  },
  needs_approval:
    'The return is above 100 %. This change becomes a proposal, and holds once a second person approves it within 24 hours',
  unchanged: 'Nothing is changed yet',
  save: 'Save {count, plural, one {# bet type} other {# bet types}}',
  save_nothing: 'Save',
  propose: 'Propose {count, plural, one {# bet type} other {# bet types}} to a second person',
  waiting: '{change}: proposed by {name}, waits for a second person',
  to_approvals: 'See what waits',
  propose_again: 'A proposal for {types} waits already. Of the two only one can be approved',
  save_again: 'A proposal for {types} waits already. Once you save, it can no longer be approved',
  saved: 'The rates are saved',
  proposed: 'Proposed. It waits for a second person',
}
