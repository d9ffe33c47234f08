import { matching, rowNumber, type SearchIn, searchOf, text } from '../../../lib/search/search-of.ts'
import { gridSearch } from '../../lists/grid-search.ts'

const product_code = matching(/^[\w-]{1,40}$/)

export const readLimitRulesSearch = searchOf({
  ...gridSearch,
  /** The rule that is open. */
  rule_id: rowNumber,
})
export type LimitRulesSearch = SearchIn<typeof readLimitRulesSearch>

export const readStandingNumbersSearch = searchOf({ ...gridSearch, product_code })
export type StandingNumbersSearch = SearchIn<typeof readStandingNumbersSearch>

export const readQuotasSearch = searchOf({
  ...gridSearch,
  /** The market whose quotas are shown. */
  product_code,
  /** The code of one of its bet types. */
  bet_type: matching(/^[1-3][a-z]{3,6}$/),
  /** The key of the row that is open. */
  open: text,
})
export type QuotasSearch = SearchIn<typeof readQuotasSearch>
