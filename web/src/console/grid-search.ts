// What a list of the console shows stands in its address: sort and columns here, filters in the search of each page.

export interface GridSearch {
  /** A column and a direction, as in `close_at.desc`. */
  sort?: string
  /** Names of columns, with commas between. */
  columns?: string
}

const SORT = /^\w{1,40}\.(asc|desc)$/
const COLUMNS = /^\w{1,40}(,\w{1,40}){0,39}$/

export function readGridSearch({ sort, columns }: Record<string, unknown>): GridSearch {
  return {
    ...(typeof sort === 'string' && SORT.test(sort) ? { sort } : {}),
    ...(typeof columns === 'string' && COLUMNS.test(columns) ? { columns } : {}),
  }
}
