import { IconAdjustmentsHorizontal, IconDownload, IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { useTranslations } from 'use-intl'
import { toCsv } from '../lib/format/csv.ts'
import { saveText } from '../lib/device/save-file.ts'
import { Button } from './button.tsx'
import { Checkbox } from './checkbox.tsx'
import classes from './data-grid.module.css'
import { DialogSheet } from './dialog-sheet.tsx'
import type { GridColumn, GridSort, GridView } from './grid-column.ts'
import { SelectField } from './select-field.tsx'
import { TextInput } from './text-input.tsx'

interface DataGridBarProps<Row> {
  label: string
  columns: readonly GridColumn<Row>[]
  /** The columns that are shown, in their order. */
  shown: readonly GridColumn<Row>[]
  /** Undefined: not there yet. */
  rows: readonly Row[] | undefined
  count: number
  total?: number
  sort: GridSort | null
  onSort: (sort: GridSort | null) => void
  shownColumns: readonly string[]
  onShowColumns: (names: readonly string[]) => void
  views: readonly GridView[]
  onSaveView: (name: string) => void
  onOpenView: (view: GridView) => void
  onRemoveView: (view: GridView) => void
  fileTools?: ReactNode
  children?: ReactNode
}

/** Above a grid: filters, how many rows there are, and the grid's own tools. */
export function DataGridBar<Row>(props: DataGridBarProps<Row>) {
  const { label, shown, rows, count, total, fileTools, children } = props
  const t = useTranslations('grid')
  const [isOpen, setIsOpen] = useState(false)
  const exportRows = (): void => {
    const written = shown.filter(({ text }) => text !== undefined)
    const lines = (rows ?? []).map((row) => written.map(({ text }) => text?.(row) ?? ''))
    saveText({ filename: `${label}.csv`, text: toCsv([written.map((column) => column.label), ...lines]) })
  }
  return (
    <div className={classes.bar}>
      {children}
      <output className={classes.count}>
        {rows === undefined
          ? ''
          : total === undefined || total === count
            ? t('count', { count })
            : t('count_of', { count, total })}
      </output>
      <div className={classes.tools}>
        <Button
          variant="default"
          size="sm"
          icon={<IconAdjustmentsHorizontal size={18} stroke={1.75} aria-hidden="true" />}
          onClick={() => setIsOpen(true)}
        >
          {t('view')}
        </Button>
        {fileTools ?? (
          <Button
            variant="default"
            size="sm"
            icon={<IconDownload size={18} stroke={1.75} aria-hidden="true" />}
            disabled={rows === undefined || rows.length === 0}
            onClick={exportRows}
          >
            CSV
          </Button>
        )}
      </div>
      <DialogSheet isOpen={isOpen} onClose={() => setIsOpen(false)} title={t('view')}>
        <ViewSettings {...props} />
      </DialogSheet>
    </div>
  )
}

function ViewSettings<Row>({ columns, sort, onSort, shownColumns, onShowColumns, ...views }: DataGridBarProps<Row>) {
  const t = useTranslations('grid')
  const sortable = columns.filter(({ isSortable }) => isSortable)
  return (
    <div className={classes.settings}>
      {sortable.length > 0 && (
        <SelectField
          label={t('sort')}
          value={sort === null ? '' : `${sort.column}.${sort.direction}`}
          choices={[
            { value: '', label: t('unsorted') },
            ...sortable.flatMap(({ name, label }) => [
              { value: `${name}.asc`, label: t('ascending', { column: label }) },
              { value: `${name}.desc`, label: t('descending', { column: label }) },
            ]),
          ]}
          onChange={(value) => {
            const [column = '', direction] = value.split('.')
            onSort(value === '' ? null : { column, direction: direction === 'desc' ? 'desc' : 'asc' })
          }}
        />
      )}
      <fieldset className={classes.choices}>
        <legend>{t('columns')}</legend>
        {columns
          .filter(({ isRowName }) => !isRowName)
          .map(({ name, label }) => (
            <Checkbox
              key={name}
              label={label}
              isChecked={shownColumns.includes(name)}
              onChange={(isChecked) =>
                onShowColumns(
                  columns
                    .map((column) => column.name)
                    .filter((one) => (one === name ? isChecked : shownColumns.includes(one))),
                )
              }
            />
          ))}
      </fieldset>
      <SavedViews {...views} />
    </div>
  )
}

type SavedViewsProps = Pick<DataGridBarProps<never>, 'views' | 'onSaveView' | 'onOpenView' | 'onRemoveView'>

const MAX_VIEWS = 12

function SavedViews({ views, onSaveView, onOpenView, onRemoveView }: SavedViewsProps) {
  const t = useTranslations('grid')
  const [name, setName] = useState('')
  return (
    <section className={classes.views}>
      <h3 className={classes.heading}>{t('views')}</h3>
      {views.length === 0 && <p className={classes.dim}>{t('no_views')}</p>}
      <ul>
        {views.map((view) => (
          <li key={view.name}>
            <button type="button" className={classes.viewName} onClick={() => onOpenView(view)}>
              {view.name}
            </button>
            <Button
              variant="subtle"
              size="sm"
              icon={<IconTrash size={18} stroke={1.75} aria-hidden="true" />}
              aria-label={t('remove_view', { name: view.name })}
              onClick={() => onRemoveView(view)}
            />
          </li>
        ))}
      </ul>
      <form
        className={classes.newView}
        onSubmit={(event) => {
          event.preventDefault()
          if (name.trim() === '') return
          onSaveView(name.trim())
          setName('')
        }}
      >
        <TextInput
          label={t('view_name')}
          maxLength={40}
          autoComplete="off"
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <Button type="submit" variant="default" disabled={views.length >= MAX_VIEWS}>
          {t('save_view')}
        </Button>
      </form>
    </section>
  )
}
