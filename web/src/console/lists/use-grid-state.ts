import { useState } from 'react'
import { useQuery } from '@tanstack/react-query'
import { useChange } from '../../lib/api/use-change.ts'
import { showToast } from '../../lib/feedback/toast.ts'
import type { GridColumn, GridSort, GridView } from '../../ui/grid/grid-column.ts'
import type { GridSearch } from './grid-search.ts'
import { loadShownColumns, saveShownColumns } from './shown-columns.ts'
import { keepView, removeView, viewsQuery } from './saved-views.ts'

interface GridStateOptions<Row, Search extends GridSearch> {
  /** The list's name in the device's storage. */
  list: string
  columns: readonly GridColumn<Row>[]
  search: Search
  /** Writes the address. */
  onSearch: (search: Search) => void
}

const tell = (failure: string): void => showToast('bad', failure)

const NO_VIEWS: readonly GridView[] = []

function readSort(sort: string | undefined): GridSort | null {
  const [column, direction] = sort?.split('.') ?? []
  return column === undefined ? null : { column, direction: direction === 'desc' ? 'desc' : 'asc' }
}

/** The defined search parameters, as stored in a saved view. */
function writeSearch(search: object): string {
  const texts = Object.fromEntries(
    Object.entries(search).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]])),
  )
  return new URLSearchParams(texts).toString()
}

/**
 * The state of a list: sort, columns and filters are in the address, so that a link shows the same. The columns chosen
 * last are kept on the device, saved views on the server. The result is for the props of `DataGrid`.
 */
export function useGridState<Row, Search extends GridSearch>(options: GridStateOptions<Row, Search>) {
  const { list, columns, search, onSearch } = options
  const [kept, setKept] = useState(() => loadShownColumns(list))
  const [needsViews, setNeedsViews] = useState(false)
  const { data: views = NO_VIEWS } = useQuery({ ...viewsQuery(list), enabled: needsViews })
  const keeping = useChange(keepView, tell)
  const removing = useChange(removeView, tell)
  const chosen = search.columns?.split(',') ?? kept
  const isShown = ({ name, isRowName, isOptional }: GridColumn<Row>): boolean =>
    isRowName === true || (chosen === null ? isOptional !== true : chosen.includes(name))
  return {
    sort: readSort(search.sort),
    onSort: (sort: GridSort | null) => {
      const { sort: _before, ...rest } = search
      onSearch((sort === null ? rest : { ...rest, sort: `${sort.column}.${sort.direction}` }) as Search)
    },
    shownColumns: columns.filter(isShown).map(({ name }) => name),
    onShowColumns: (names: readonly string[]) => {
      setKept(names)
      saveShownColumns(list, names)
      onSearch({ ...search, columns: names.join(',') })
    },
    views,
    onOpenSettings: () => setNeedsViews(true),
    onSaveView: (name: string, isShared: boolean) =>
      void keeping.run({ page: list, name, search: writeSearch(search), isShared }),
    onOpenView: (view: GridView) => onSearch(view.search as unknown as Search),
    onRemoveView: ({ name }: GridView) => void removing.run({ page: list, name }),
  }
}
