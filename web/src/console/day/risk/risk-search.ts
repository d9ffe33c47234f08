import type { BetTypeCode } from '@megalot/rules'
import { code, flag, matching, oneOf, type SearchIn, searchOf } from '../../../lib/search/search-of.ts'

const measures = ['payout', 'stake', 'own_payout', 'own_stake', 'quota', 'lines'] as const

export const readRiskSearch = searchOf(
  {
    /** Absent: the one that closes next. */
    market: code,
    /** The code of a period, only together with its market; absent: the market's current one. */
    period: code,
    /** `results`: by result, in place of by number. */
    by: oneOf('results'),
    /** By number: a table of numbers by bet types, or a list of numbers of bet types. Absent: what suits the screen. */
    view: oneOf('table', 'list'),
    /** The rules themselves are no part of the first load. */
    bet_type: matching<BetTypeCode>(/^(3(top|roll|front|bottom)|2(top|bottom|roll)|1(top|bottom))$/),
    /** The measure shown in a cell of the table; absent: payouts, of agents their own part. */
    show: oneOf(...measures),
    /** By number where it is `number`; otherwise the highest first, the shown payouts where it is absent. */
    sort: oneOf('number', ...measures),
    /** Digits of a number. */
    search: matching(/^\d{1,3}$/),
    /** Only numbers on which the user's own part of the stakes is above this, in Baht. */
    over: matching(/^\d{1,9}$/),
    /** Also numbers that nobody has bet on. */
    all: flag,
    /** By result: the whole line, or the part that the user keeps. Absent: whole for the house, own for agents. */
    part: oneOf('own', 'whole'),
  },
  ({ period, ...found }) => (found.market === undefined || period === undefined ? found : { ...found, period }),
)
export type RiskSearch = SearchIn<typeof readRiskSearch>
