// Sort and columns of a console list as search parameters. Each page adds its own filters.

import { matching, type SearchIn, searchOf } from '../../lib/search/search-of.ts'

export const gridSearch = {
  /** A column and a direction, as in `close_at.desc`. */
  sort: matching(/^\w{1,40}\.(asc|desc)$/),
  /** Names of columns, with commas between. */
  columns: matching(/^\w{1,40}(,\w{1,40}){0,39}$/),
}

export const readGridSearch = searchOf(gridSearch)
export type GridSearch = SearchIn<typeof readGridSearch>
