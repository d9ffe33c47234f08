import { matching, oneOf, type SearchIn, searchOf, text } from '../../lib/search/search-of.ts'
import { gridSearch } from '../lists/grid-search.ts'

export const readPeopleSearch = searchOf({
  ...gridSearch,
  /** `tree`: the line as a tree in place of a list. */
  form: oneOf('tree'),
  /** The nodes of the tree that are open: ids with commas between. */
  open: matching(/^\d{1,15}(,\d{1,15}){0,49}$/),
  /** A part of a username or of a name. */
  search: text,
  level: oneOf('super_senior', 'senior', 'master', 'agent', 'member'),
  /** The status in force. */
  status: oneOf('NORMAL', 'DISABLED_BET', 'SUSPENDED'),
  is_online: oneOf('true', 'false'),
  /** Filters by package: market and package with a slash between. */
  package: matching(/^[\w-]{1,40}\/[\w-]{1,40}$/),
  /** Filters by registration code. */
  agent_code: matching(/^[A-Za-z0-9]{4,20}$/),
  used: oneOf('some', 'most'),
  /** The net of the last seven days. */
  net: oneOf('won', 'lost'),
  owed: oneOf('collect', 'pay'),
  /** No ticket in so many days. */
  idle_days: oneOf('7', '30'),
  /** Filters by tag. */
  tag: matching(/^[^\n,]{1,20}$/),
})
export type PeopleSearch = SearchIn<typeof readPeopleSearch>

export const profileTabs = ['summary', 'money', 'terms', 'limits', 'tickets', 'sessions', 'history'] as const

export const readProfileSearch = searchOf({
  tab: oneOf(...profileTabs),
  /** Opens the form that receives or pays money. */
  money: oneOf('receive', 'pay'),
  /** Opens the form of the credit limit: `open`, or the limit in Baht to begin with. */
  credit: matching(/^(open|\d{1,9}(\.\d{1,2})?)$/),
})
export type ProfileSearch = SearchIn<typeof readProfileSearch>
