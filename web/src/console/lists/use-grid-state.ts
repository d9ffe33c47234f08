import { useState } from 'react'
import type { GridColumn, GridSort, GridView } from '../../ui/grid/grid-column.ts'
import type { GridSearch } from './grid-search.ts'
import { loadGridSettings, saveGridSettings } from './grid-settings.ts'
import type { GridSettings } from './grid-settings.ts'

interface GridStateOptions<Row, Search extends GridSearch> {
  /** The list's name in the device's storage. */
  list: string
  columns: readonly GridColumn<Row>[]
  search: Search
  /** Writes the address. */
  onSearch: (search: Search) => void
}

function readSort(sort: string | undefined): GridSort | null {
  const [column, direction] = sort?.split('.') ?? []
  return column === undefined ? null : { column, direction: direction === 'desc' ? 'desc' : 'asc' }
}

/** The defined search parameters as texts, as stored in a saved view. */
function textsOf(search: object): Record<string, string> {
  return Object.fromEntries(
    Object.entries(search).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]])),
  )
}

/**
 * The state of a list: sort, columns and filters stand in the address, so that a link shows the same; the columns chosen
 * last and saved views stay on the device. The result is for the props of `DataGrid`.
 */
export function useGridState<Row, Search extends GridSearch>(options: GridStateOptions<Row, Search>) {
  const { list, columns, search, onSearch } = options
  const [settings, setSettings] = useState(() => loadGridSettings(list))
  const save = (next: GridSettings): void => {
    setSettings(next)
    saveGridSettings(list, next)
  }
  const chosen = search.columns?.split(',') ?? settings.columns
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
      save({ ...settings, columns: names })
      onSearch({ ...search, columns: names.join(',') })
    },
    views: settings.views,
    onSaveView: (name: string) => {
      const others = settings.views.filter((view) => view.name !== name)
      save({ ...settings, views: [...others, { name, search: textsOf(search) }] })
    },
    onOpenView: (view: GridView) => onSearch(view.search as unknown as Search),
    onRemoveView: ({ name }: GridView) =>
      save({ ...settings, views: settings.views.filter((view) => view.name !== name) }),
  }
}
