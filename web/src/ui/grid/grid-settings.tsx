import IconTrash from '~icons/trash'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { Button } from '../button.tsx'
import { Checkbox } from '../checkbox.tsx'
import classes from './data-grid.module.css'
import type { GridColumn, GridSort, GridView } from './grid-column.ts'
import { SelectField } from '../select-field.tsx'
import { TextInput } from '../text-input.tsx'

export interface GridSettingsProps {
  /** All columns, shown or not. */
  columns: readonly Pick<GridColumn<never>, 'name' | 'label' | 'isRowName' | 'isSortable'>[]
  sort: GridSort | null
  onSort: (sort: GridSort | null) => void
  shownColumns: readonly string[]
  onShowColumns: (names: readonly string[]) => void
  views: readonly GridView[]
  /** The settings are about to be shown, which need the views. */
  onOpenSettings?: () => void
  onSaveView: (name: string, isShared: boolean) => void
  onOpenView: (view: GridView) => void
  onRemoveView: (view: GridView) => void
}

/** The sort, the shown columns and the saved views of a grid. */
export function GridSettings({ columns, sort, onSort, shownColumns, onShowColumns, ...views }: GridSettingsProps) {
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

type SavedViewsProps = Pick<GridSettingsProps, 'views' | 'onSaveView' | 'onOpenView' | 'onRemoveView'>

function SavedViews({ views, onSaveView, onOpenView, onRemoveView }: SavedViewsProps) {
  const t = useTranslations('grid')
  const [name, setName] = useState('')
  const [isShared, setShared] = useState(false)
  return (
    <section className={classes.views}>
      <h3 className={classes.heading}>{t('views')}</h3>
      {views.length === 0 && <p className={classes.dim}>{t('no_views')}</p>}
      <ul>
        {views.map((view) => (
          <li key={`${view.shared_by ?? ''} ${view.name}`}>
            <button type="button" className={classes.viewName} onClick={() => onOpenView(view)}>
              {view.name}
              {(view.is_shared || view.shared_by !== null) && (
                <span className={classes.dim}>
                  {' · '}
                  {view.shared_by === null ? t('view_shared') : t('view_shared_by', { name: view.shared_by })}
                </span>
              )}
            </button>
            {view.shared_by === null && (
              <Button
                variant="subtle"
                size="sm"
                icon={<IconTrash size={18} stroke={1.75} aria-hidden="true" />}
                aria-label={t('remove_view', { name: view.name })}
                onClick={() => onRemoveView(view)}
              />
            )}
          </li>
        ))}
      </ul>
      <form
        className={classes.newView}
        onSubmit={(event) => {
          event.preventDefault()
          if (name.trim() === '') return
          onSaveView(name.trim(), isShared)
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
        <Checkbox label={t('share_view')} isChecked={isShared} onChange={setShared} />
        <Button type="submit" variant="default">
          {t('save_view')}
        </Button>
      </form>
    </section>
  )
}
