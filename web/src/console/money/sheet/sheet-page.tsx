import type { EdgeWeek } from '@megalot/contract'
import { MAX_BULK_ROWS } from '@megalot/contract/browser'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import IconChevronLeft from '~icons/chevron-left'
import IconChevronRight from '~icons/chevron-right'
import { type ClipboardEvent, type KeyboardEvent, useEffect, useEffectEvent, useMemo, useState } from 'react'
import { useLocale, useTranslations } from 'use-intl'
import { showToast } from '../../../lib/feedback/toast.ts'
import { addDays } from '../../../lib/format/calendar-day.ts'
import { formatDays } from '../../../lib/format/dates.ts'
import { useTypedFilter } from '../../../lib/forms/use-typed-filter.ts'
import { useUser } from '../../../lib/user/user-query.ts'
import { Alert } from '../../../ui/alert.tsx'
import { Hint } from '../../../ui/layout.tsx'
import { PageTitle } from '../../../ui/page-title.tsx'
import { EmptyNote, QueryView, Skeleton } from '../../../ui/query-view.tsx'
import { RefreshButton } from '../../../ui/refresh-button.tsx'
import { SegmentedControl } from '../../../ui/segmented-control.tsx'
import { TextInput } from '../../../ui/text-input.tsx'
import pages from '../../lists/lists.module.css'
import { permissionsOf } from '../../menu.ts'
import { sendAllHeld } from './held-payments.ts'
import { PaymentSheet } from './payment-sheet.tsx'
import { sheetQuery } from './queries.ts'
import { ReverseLastSheet } from './reverse-sheet.tsx'
import { SaveBar } from './save-bar.tsx'
import { SaveDialog } from './save-dialog.tsx'
import { countRows, listSheetRows, readPastedRows, writeSignedBaht } from './sheet-rows.ts'
import { type SheetFilter, sheetFilters, type SheetSearch } from './sheet-search.ts'
import { SheetSums } from './sheet-sums.tsx'
import { SheetTable } from './sheet-table.tsx'
import classes from './sheet.module.css'
import { useSheetDrafts } from './use-sheet-drafts.ts'

const route = getRouteApi('/main/money')
const NO_ROWS: readonly EdgeWeek[] = []

/** What each child owes or is owed in a week, and the payments that settle it. */
export function SheetPage() {
  const t = useTranslations('sheet')
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const setSearch = (next: SheetSearch): void => void navigate({ search: next, replace: true })
  const query = useQuery(sheetQuery(search.week))
  const permissions = permissionsOf(useUser())
  const all = query.data?.data ?? NO_ROWS
  const rows = useMemo(() => listSheetRows(all, search), [all, search])
  const isCurrent = query.data?.is_current ?? true
  const canRecord = isCurrent && permissions.has('money.do')
  const drafts = useSheetDrafts(all)
  const [isSaving, setSaving] = useState(false)
  const [isReversing, setReversing] = useState(false)
  const [other, setOther] = useState<number | null>(null)
  const [noteOpen, setNoteOpen] = useState<number | null>(null)
  const [armed, setArmed] = useState<number | null>(null)
  const [unread, setUnread] = useState<readonly string[]>([])
  useSendHeldOnLeave()
  const save = (): void => {
    if (drafts.payments.length > 0 && drafts.wrongCount === 0) setSaving(true)
  }
  const keys = useSheetKeys({
    rows,
    isOn: canRecord && !isSaving && !isReversing && other === null,
    onSave: save,
    onFull: (row) => drafts.enter(new Map([[row.user_id, writeSignedBaht(row.balance_satang)]])),
    onNote: setNoteOpen,
    onReverse: () => setReversing(true),
  })
  const paste = (event: ClipboardEvent): void => {
    if (!canRecord || isInDialog(event.target)) return
    const pasted = readPastedRows(event.clipboardData.getData('text/plain'), all)
    if (pasted === null) return
    event.preventDefault()
    drafts.enter(pasted.drafts)
    setUnread(pasted.unread)
    if (pasted.drafts.size > 0) showToast('good', t('pasted', { count: pasted.drafts.size }))
    // What is filled in has to be seen.
    if ([...pasted.drafts.keys()].some((user_id) => rows.every((row) => row.user_id !== user_id)))
      setSearch({ ...(search.week === undefined ? {} : { week: search.week }), show: 'all' })
  }
  return (
    // The keys belong to the fields of the table below.
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions
    <div onKeyDown={keys} onPaste={paste}>
      <PageTitle title={t('title')}>
        <WeekSteps search={search} week={query.data?.week} isCurrent={isCurrent} />
        <RefreshButton isCompact isBusy={query.isRefetching} onRefresh={() => void query.refetch()} />
      </PageTitle>
      <SheetSums sums={query.data?.sums} />
      {!isCurrent && <Alert kind="plain">{t('week.past')}</Alert>}
      {unread.length > 0 && (
        <Alert kind="warn">{t('unread', { count: unread.length, lines: unread.slice(0, 5).join(' · ') })}</Alert>
      )}
      <SheetFilters all={all} search={search} onSearch={setSearch} />
      <QueryView query={query} skeleton={<Skeleton count={10} height={40} gap={2} />}>
        {({ week }) =>
          rows.length === 0 ? (
            <EmptyNote title={t('none')}>{t('none_hint')}</EmptyNote>
          ) : (
            <SheetTable
              rows={rows}
              week={week}
              drafts={drafts.drafts}
              noteOpen={noteOpen}
              armed={armed}
              canRecord={canRecord}
              hasReports={permissions.has('reports.view')}
              sort={search.sort}
              onSort={(sort) => setSearch({ ...search, sort })}
              onType={drafts.type}
              onArm={setArmed}
              onOther={(row) => setOther(row.user_id)}
            />
          )
        }
      </QueryView>
      {drafts.typedCount > 0 && <SaveBar drafts={drafts} onSave={save} />}
      {canRecord && <Hint className={pages.keys}>{t('keys')}</Hint>}
      <SaveDialog
        isOpen={isSaving}
        onClose={() => setSaving(false)}
        payments={drafts.payments.slice(0, MAX_BULK_ROWS)}
        nameOf={drafts.nameOf}
        onRecorded={drafts.drop}
      />
      <PaymentSheet user_id={other} onClose={() => setOther(null)} />
      <ReverseLastSheet isOpen={isReversing} onClose={() => setReversing(false)} />
    </div>
  )
}

/** A phone that is put away may never come back to the page. */
function useSendHeldOnLeave(): void {
  useEffect(() => {
    const leave = (): void => {
      if (document.visibilityState === 'hidden') void sendAllHeld()
    }
    document.addEventListener('visibilitychange', leave)
    return () => {
      document.removeEventListener('visibilitychange', leave)
      void sendAllHeld()
    }
  }, [])
}

const isInDialog = (target: EventTarget): boolean => target instanceof Element && target.closest('dialog') !== null

interface SheetKeys {
  rows: readonly EdgeWeek[]
  isOn: boolean
  onSave: () => void
  onFull: (row: EdgeWeek) => void
  onNote: (user_id: number) => void
  onReverse: () => void
}

function focusField(name: 'amount' | 'note', user_id: number | undefined): void {
  const field = document.querySelector<HTMLInputElement>(`[data-${name}="${user_id}"]`)
  field?.focus()
  field?.select()
}

/** The keys of the sheet. Letters mean their places, because a Thai keyboard writes others. */
function useSheetKeys({ rows, isOn, onSave, onFull, onNote, onReverse }: SheetKeys) {
  const onPage = useEffectEvent((event: globalThis.KeyboardEvent): void => {
    const { target, key, code, ctrlKey, metaKey, altKey } = event
    if (!isOn || altKey || !(target instanceof Element) || isInDialog(target)) return
    const isTyping = target.closest('input, textarea, select') !== null
    if (key === 'Enter' && (ctrlKey || metaKey)) onSave()
    else if (ctrlKey || metaKey || (isTyping && !target.matches('[data-amount]'))) return
    else if (key === '/') document.querySelector<HTMLInputElement>('[data-sheet-search] input')?.focus()
    else if (code === 'KeyZ') onReverse()
    else if (key === 'ArrowDown' && !isTyping && target === document.body) focusField('amount', rows[0]?.user_id)
    else return
    event.preventDefault()
  })
  useEffect(() => {
    const listen = (event: globalThis.KeyboardEvent): void => onPage(event)
    document.addEventListener('keydown', listen)
    return () => document.removeEventListener('keydown', listen)
  }, [])
  return (event: KeyboardEvent): void => {
    const { target, key, code, ctrlKey, metaKey, altKey } = event
    if (!isOn || ctrlKey || metaKey || altKey || !(target instanceof HTMLInputElement)) return
    const { amount, note } = target.dataset
    const index = rows.findIndex(({ user_id }) => String(user_id) === (amount ?? note))
    if (index === -1) {
      if (key === 'ArrowDown' && target.closest('[data-sheet-search]')) {
        event.preventDefault()
        focusField('amount', rows[0]?.user_id)
      }
      return
    }
    const row = rows[index]!
    if (note !== undefined && key === 'Enter') focusField('amount', row.user_id)
    else if (note !== undefined) return
    else if (key === 'ArrowDown' || key === 'Enter') focusField('amount', rows[index + 1]?.user_id)
    else if (key === 'ArrowUp') focusField('amount', rows[index - 1]?.user_id)
    else if (code === 'KeyF') onFull(row)
    else if (code === 'KeyN') {
      onNote(row.user_id)
      requestAnimationFrame(() => focusField('note', row.user_id))
    } else return
    event.preventDefault()
  }
}

interface WeekStepsProps {
  search: SheetSearch
  /** The shown Monday; undefined while it loads. */
  week: string | undefined
  isCurrent: boolean
}

function WeekSteps({ search, week, isCurrent }: WeekStepsProps) {
  const t = useTranslations('sheet.week')
  const language = useLocale()
  if (week === undefined) return null
  const { week: _shown, ...rest } = search
  const later = addDays(week, 7)
  return (
    <nav className={classes.week} aria-label={t('label')}>
      <Link
        to="/money"
        search={{ ...rest, week: addDays(week, -7) }}
        replace
        className={classes.step}
        aria-label={t('earlier')}
      >
        <IconChevronLeft size={18} aria-hidden="true" />
      </Link>
      <span data-testid="shown-week">{formatDays(week, addDays(week, 6), language)}</span>
      {isCurrent ? (
        <span className={classes.step} aria-disabled="true">
          <IconChevronRight size={18} aria-hidden="true" />
        </span>
      ) : (
        <Link to="/money" search={{ ...rest, week: later }} replace className={classes.step} aria-label={t('later')}>
          <IconChevronRight size={18} aria-hidden="true" />
        </Link>
      )}
    </nav>
  )
}

interface SheetFiltersProps {
  all: readonly EdgeWeek[]
  search: SheetSearch
  onSearch: (search: SheetSearch) => void
}

function SheetFilters({ all, search, onSearch }: SheetFiltersProps) {
  const t = useTranslations('sheet.filter')
  const set = (name: 'search' | 'show', value: string): void => {
    const { [name]: _before, ...rest } = search
    onSearch(value === '' ? rest : { ...rest, [name]: value })
  }
  const typed = useTypedFilter(search.search, (text) => set('search', text))
  return (
    <search className={classes.filters} data-sheet-search>
      <div className={classes.choices}>
        <SegmentedControl<SheetFilter>
          label={t('label')}
          value={search.show ?? 'open'}
          choices={sheetFilters.map((value) => ({ value, label: `${t(value)} ${countRows(all, value)}` }))}
          onChange={(show) => set('show', show === 'open' ? '' : show)}
        />
      </div>
      <TextInput
        type="search"
        aria-label={t('search')}
        placeholder={t('search')}
        maxLength={100}
        autoCapitalize="off"
        className={pages.filter}
        {...typed}
      />
    </search>
  )
}
