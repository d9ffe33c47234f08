import { useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { DataGrid } from '../../ui/grid/data-grid.tsx'
import { DataGridBar } from '../../ui/grid/data-grid-bar.tsx'
import type { GridColumn, GridSort, GridView } from '../../ui/grid/grid-column.ts'
import { GridSettings } from '../../ui/grid/grid-settings.tsx'
import { PageFailure } from '../../ui/page-failure.tsx'
import { useSay } from '../sample.ts'
import type { Sample } from '../sample.ts'

interface Person {
  name: string
  level: number
  remain: string
}

const people: readonly Person[] = Array.from({ length: 8 }, (_, index) => ({
  name: `m00${index + 1}`,
  level: (index % 3) + 1,
  remain: `${(index + 1) * 1_250}.00`,
}))
const ignore = (): void => undefined
const broken = new Error('no reply')

function useGrid() {
  const say = useSay()
  const [sort, setSort] = useState<GridSort | null>({ column: 'remain', direction: 'desc' })
  const [shownColumns, setShownColumns] = useState<readonly string[]>(['name', 'level', 'remain'])
  const [views, setViews] = useState<readonly GridView[]>([])
  const columns: readonly GridColumn<Person>[] = [
    {
      name: 'name',
      label: say('สมาชิก', 'Member'),
      cell: ({ name }) => name,
      text: ({ name }) => name,
      isRowName: true,
    },
    { name: 'level', label: say('ระดับ', 'Level'), cell: ({ level }) => level, isFigure: true },
    {
      name: 'remain',
      label: say('เครดิตคงเหลือ', 'Credit left'),
      cell: ({ remain }) => remain,
      isFigure: true,
      isSortable: true,
    },
  ]
  return {
    label: say('สมาชิก', 'Members'),
    columns,
    sort,
    onSort: setSort,
    shownColumns,
    onShowColumns: setShownColumns,
    views,
    onSaveView: (name: string) => setViews([...views, { name, search: {}, is_shared: false, shared_by: null }]),
    onOpenView: ignore,
    onRemoveView: (view: GridView) => setViews(views.filter((one) => one !== view)),
  }
}

interface GridProps {
  rows?: readonly Person[]
  error?: Error | null
  isSelectable?: boolean
}

function Grid({ rows, error = null, isSelectable = false }: GridProps) {
  const say = useSay()
  const bulkActions = (selected: readonly Person[]) => (
    <Button size="sm">{say(`ระงับ ${selected.length} คน`, `Suspend ${selected.length}`)}</Button>
  )
  return (
    <DataGrid
      {...useGrid()}
      rows={rows}
      keyOf={({ name }) => name}
      error={error}
      onRetry={ignore}
      empty={say('ไม่มีสมาชิก', 'No members')}
      onOpen={ignore}
      {...(isSelectable ? { bulkActions } : {})}
    />
  )
}

function Bar() {
  const { columns, ...grid } = useGrid()
  return (
    <DataGridBar {...grid} columns={columns} shown={columns} rows={people} count={people.length} total={120} hasMore />
  )
}

function Settings() {
  return <GridSettings {...useGrid()} />
}

export const samples: readonly Sample[] = [
  {
    part: 'data-grid',
    states: {
      plain: () => <Grid rows={people} />,
      'with selection': () => <Grid rows={people} isSelectable />,
      empty: () => <Grid rows={[]} />,
      loading: () => <Grid />,
      failed: () => <Grid error={broken} />,
    },
  },
  { part: 'data-grid-bar', states: { plain: Bar } },
  { part: 'grid-settings', states: { plain: Settings } },
  { part: 'page-failure', states: { plain: PageFailure } },
]
