import type { Period } from '@megalot/contract'
import { betTypeByCode } from '@megalot/rules'
import type { BetTypeCode } from '@megalot/rules'
import { useCallback, useMemo, useState } from 'react'
import { useLocale, useTranslations } from 'use-intl'
import { localizedName } from '../../../lib/i18n/localized-name.ts'
import { useErrorMessage } from '../../../lib/errors/use-error-message.ts'
import { Alert } from '../../../ui/alert.tsx'
import { Checkbox } from '../../../ui/checkbox.tsx'
import { Hint } from '../../../ui/layout.tsx'
import { EmptyNote, Skeleton } from '../../../ui/query-view.tsx'
import { SegmentedControl } from '../../../ui/segmented-control.tsx'
import { SelectField } from '../../../ui/select-field.tsx'
import { TextInput } from '../../../ui/text-input.tsx'
import { BELOW_TABLET_MEDIA } from '../../../ui/tokens.ts'
import type { RiskSearch } from './risk-search.ts'
import { BoardGrid } from './board-grid.tsx'
import type { NumberAction } from './board-grid.tsx'
import { BookHeadLine } from './book-head-line.tsx'
import { NumberSheet } from './number-sheet.tsx'
import { useMayLimit } from './use-may-limit.ts'
import classes from './risk.module.css'
import { TypeSums } from './type-sums.tsx'
import { useBoard, useBookHead, useMeasures, useUsualMeasure } from './use-board.ts'
import { useBoardRows } from './use-board-rows.ts'
import { useRowHold } from './use-row-hold.ts'

interface NumberBoardProps {
  period: Period
  /** Bet types of the market. */
  bet_types: readonly BetTypeCode[]
  search: RiskSearch
  onSearch: (search: RiskSearch) => void
}

const ALL = ''

/** Live exposure of a period by number: stakes, payout, and the user's own share. */
export function NumberBoard({ period, bet_types: offered, search, onSearch }: NumberBoardProps) {
  const t = useTranslations('risk')
  const errorMessage = useErrorMessage()
  const mayLimit = useMayLimit()
  // No further bet can obey a limit of a period that has ended.
  const isAccepting = period.status === 'open' || period.status === 'upcoming'
  const board = useBoard(period.period_code)
  const head = useBookHead(board)
  const view = search.view ?? (window.matchMedia(BELOW_TABLET_MEDIA).matches ? 'list' : 'table')
  const chosen = search.bet_type !== undefined && offered.includes(search.bet_type) ? search.bet_type : undefined
  const bet_types = useMemo(() => (chosen === undefined ? offered : [chosen]), [chosen, offered])
  const usual = useUsualMeasure()
  const measure = search.show ?? usual
  const { isHeld, handlers } = useRowHold()
  const { rows, most, isBehind } = useBoardRows({
    board,
    view,
    bet_types,
    search: search.search ?? '',
    isBetOn: search.all !== true,
    over_satang: search.over === undefined ? undefined : Number(search.over) * 100,
    sort: search.sort ?? usual,
    measure: view === 'list' ? 'payout' : measure,
    isHeld,
  })
  const [open, setOpen] = useState<{ slot: number; action: NumberAction | null } | null>(null)
  const openNumber = useCallback((slot: number, action: NumberAction | null) => setOpen({ slot, action }), [])
  return (
    <>
      <BoardBar {...{ search, onSearch, offered, view, chosen }} />
      {board.error !== null && <Alert kind="bad">{errorMessage(board.error)}</Alert>}
      <BookHeadLine head={head} />
      {head !== null && <TypeSums board={board} bet_types={bet_types} />}
      <Hint below={8} className={classes.keys} data-testid="board-keys">
        {isBehind ? t('held') : <span data-keys>{t(isAccepting && mayLimit ? 'keys' : 'keys_view')}</span>}
      </Hint>
      {head === null && board.error === null && (
        <output aria-label={t('grid')}>
          <Skeleton count={12} height={34} />
        </output>
      )}
      {head !== null && rows.length === 0 && (
        <EmptyNote title={t(search.search === undefined && search.over === undefined ? 'nothing' : 'not_found')} />
      )}
      {head !== null && rows.length > 0 && (
        <div data-period={period.period_code} {...handlers}>
          <BoardGrid
            {...{ board, view, rows, bet_types, most }}
            measure={view === 'list' ? 'payout' : measure}
            onOpen={openNumber}
          />
        </div>
      )}
      <NumberSheet open={open} board={board} period={period} onClose={() => setOpen(null)} />
    </>
  )
}

interface BoardBarProps {
  search: RiskSearch
  onSearch: (search: RiskSearch) => void
  offered: readonly BetTypeCode[]
  view: 'table' | 'list'
  chosen: BetTypeCode | undefined
}

/** The board's filters and order. */
function BoardBar({ search, onSearch, offered, view, chosen }: BoardBarProps) {
  const t = useTranslations('risk')
  const language = useLocale()
  const shown = useMeasures()
  const usual = useUsualMeasure()
  // On a phone the board comes first, unless something is chosen here.
  const [isOpen] = useState(() => {
    const chosenParts = [search.search, search.bet_type, search.all, search.over, search.sort, search.view]
    return !window.matchMedia(BELOW_TABLET_MEDIA).matches || chosenParts.some((part) => part !== undefined)
  })
  const { search: _search, bet_type: _bet_type, all: _all, over: _over, ...rest } = search
  const kept = {
    ...(search.search === undefined ? {} : { search: search.search }),
    ...(search.bet_type === undefined ? {} : { bet_type: search.bet_type }),
    ...(search.all === undefined ? {} : { all: search.all }),
    ...(search.over === undefined ? {} : { over: search.over }),
  }
  return (
    <details className={classes.options} open={isOpen}>
      <summary>{t('options')}</summary>
      <div className={classes.bar}>
        <TextInput
          className={classes.find}
          type="search"
          inputMode="numeric"
          label={t('find')}
          maxLength={3}
          value={search.search ?? ''}
          onChange={(event) => {
            const digits = event.currentTarget.value.replaceAll(/\D/g, '')
            const { search: _before, ...others } = kept
            onSearch({ ...rest, ...others, ...(digits === '' ? {} : { search: digits }) })
          }}
        />
        <TextInput
          className={classes.find}
          type="search"
          inputMode="numeric"
          label={t('over')}
          maxLength={9}
          value={search.over ?? ''}
          onChange={(event) => {
            const baht = event.currentTarget.value.replaceAll(/\D/g, '')
            const { over: _before, ...others } = kept
            onSearch({ ...rest, ...others, ...(baht === '' ? {} : { over: baht }) })
          }}
        />
        <SelectField
          label={t('bet_type')}
          value={chosen ?? ALL}
          choices={[
            { value: ALL, label: t('all_types') },
            ...offered.map((code) => ({ value: code, label: localizedName(betTypeByCode[code], language) })),
          ]}
          onChange={(code) => {
            const { bet_type: _before, ...others } = kept
            onSearch({ ...rest, ...others, ...(code === ALL ? {} : { bet_type: code }) })
          }}
        />
        {view === 'table' && (
          <SelectField
            label={t('show')}
            value={search.show ?? usual}
            choices={shown.map((value) => ({ value, label: t(`measure.${value}`) }))}
            onChange={(show) => onSearch({ ...search, show })}
          />
        )}
        <SelectField
          label={t('sort')}
          value={search.sort ?? usual}
          choices={(['number', ...shown] as const).map((value) => ({
            value,
            label: value === 'number' ? t('by_number') : t('highest', { measure: t(`measure.${value}`) }),
          }))}
          onChange={(sort) => onSearch({ ...search, sort })}
        />
        <SegmentedControl
          label={t('view')}
          fill
          value={view}
          choices={(['table', 'list'] as const).map((value) => ({ value, label: t(`views.${value}`) }))}
          onChange={(next) => onSearch({ ...search, view: next })}
        />
        <Checkbox
          label={t('all_numbers')}
          isChecked={search.all === true}
          onChange={(isChecked) => {
            const { all: _before, ...others } = kept
            onSearch({ ...rest, ...others, ...(isChecked ? { all: true } : {}) })
          }}
        />
      </div>
    </details>
  )
}
