import IconAdjustmentsHorizontal from '~icons/adjustments-horizontal'
import IconDownload from '~icons/download'
import { lazy, Suspense, useState } from 'react'
import type { ReactNode } from 'react'
import { useTranslations } from 'use-intl'
import { toCsv } from '../../lib/format/csv.ts'
import { saveText } from '../../lib/device/save-file.ts'
import { Button } from '../button.tsx'
import classes from './data-grid.module.css'
import { DialogSheet } from '../dialog-sheet.tsx'
import type { GridColumn } from './grid-column.ts'
import type { GridSettingsProps } from './grid-settings.tsx'

const GridSettings = lazy(async () => ({ default: (await import('./grid-settings.tsx')).GridSettings }))

interface DataGridBarProps<Row> extends Omit<GridSettingsProps, 'columns'> {
  label: string
  columns: readonly GridColumn<Row>[]
  /** The shown columns, in order. */
  shown: readonly GridColumn<Row>[]
  /** Undefined while the rows load. */
  rows: readonly Row[] | undefined
  count: number
  total?: number
  /** Whether more rows can be loaded. */
  hasMore: boolean
  fileTools?: ReactNode
  children?: ReactNode
}

/** The bar above a grid: filters, the count of rows, and the grid's own tools. */
export function DataGridBar<Row>(props: DataGridBarProps<Row>) {
  const { label, shown, rows, count, total, hasMore, fileTools, children } = props
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
      <div className={classes.tools}>
        <output className={classes.count}>
          {rows === undefined
            ? ''
            : total !== undefined && total !== count
              ? t('count_of', { count, total })
              : t(hasMore ? 'count_so_far' : 'count', { count })}
        </output>
        <Button
          variant="default"
          size="sm"
          icon={<IconAdjustmentsHorizontal size={18} stroke={1.75} aria-hidden="true" />}
          onClick={() => {
            props.onOpenSettings?.()
            setIsOpen(true)
          }}
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
        <Suspense>
          <GridSettings {...props} />
        </Suspense>
      </DialogSheet>
    </div>
  )
}
