import { Button } from '../../ui/button.tsx'
import { TextInput } from '../../ui/text-input.tsx'
import IconAdjustments from '~icons/adjustments'
import IconChevronDown from '~icons/chevron-down'
import type { DownlineUser, Language } from '@megalot/contract'
import { useQuery } from '@tanstack/react-query'
import { useDeferredValue, useEffect, useId, useRef, useState } from 'react'
import type { ReactNode } from 'react'
import { useLocale, useTranslations } from 'use-intl'
import { dropUndefined } from '../../lib/search/drop-undefined.ts'
import { localizedName } from '../../lib/i18n/localized-name.ts'
import { formatDay, formatDays } from '../../lib/format/dates.ts'
import { nameOfSpan, quickSpans, spanOf } from '../../lib/format/day-span.ts'
import type { DaySpan } from '../../lib/format/day-span.ts'
import { marketsQuery } from '../markets/queries.ts'
import { serverNowMs } from '../../lib/clock/server-clock.ts'
import { useUser } from '../../lib/user/user-query.ts'
import { Checkbox } from '../../ui/checkbox.tsx'
import { DayField } from '../../ui/day-field.tsx'
import { DialogSheet } from '../../ui/dialog-sheet.tsx'
import { Grid } from '../../ui/layout.tsx'
import { peopleQuery } from './queries.ts'
import classes from './report-bar.module.css'
import { codesOf } from './report-search.ts'
import type { ReportSearch } from './report-search.ts'

interface ReportBarProps {
  search: ReportSearch
  /** The days that the report shows, also where none are named. */
  span: Partial<DaySpan>
  /** What it is about where no days are named, as a choice of its own. */
  hasAllDays?: boolean
  /** What is done with the report. With them the fields stay folded where there is room for them too. */
  tools?: ReactNode
  /** A filter of the report alone, as the folded line names it. */
  filterName?: string | undefined
  onChange: (search: ReportSearch) => void
  /** Further filters, folded with the fields. */
  children?: ReactNode
}

type Change = { [Name in keyof ReportSearch]: ReportSearch[Name] | undefined }

/** Days, by name or picked; markets; and, for those who have a downline, whose report it is. */
export function ReportBar({ search, span, hasAllDays = false, tools, filterName, onChange, children }: ReportBarProps) {
  const t = useTranslations('reports.bar')
  const user = useUser()
  const set = (change: Change): void => onChange(dropUndefined({ ...search, ...change }))
  const { date_from, date_to } = span
  const named =
    date_from === undefined || date_to === undefined ? null : nameOfSpan({ date_from, date_to }, serverNowMs())
  // On a phone not all names fit: the chosen one is in sight.
  const quick = useRef<HTMLFieldSetElement>(null)
  useEffect(() => {
    const row = quick.current
    const chip = row?.querySelector<HTMLElement>(`[data-span="${named}"]`)
    if (row && chip) row.scrollLeft = chip.offsetLeft - (row.clientWidth - chip.offsetWidth) / 2
  }, [named])
  const isAll = search.date_from === undefined && search.date_to === undefined
  const language = useLocale()
  const panelId = useId()
  const [isOpen, setIsOpen] = useState(false)
  const codes = codesOf(search)
  const about = [
    daysOf(span, language) ?? t('all_days'),
    codes.length === 0 ? t('all_markets') : t('some_markets', { count: codes.length }),
    ...(filterName === undefined ? [] : [filterName]),
    ...(search.username === undefined ? [] : [search.username]),
  ]
  return (
    <search className={classes.bar} data-folded={tools !== undefined || undefined}>
      <fieldset ref={quick} className={classes.quick}>
        <legend className="visually-hidden">{t('quick')}</legend>
        {hasAllDays && (
          <button
            type="button"
            className={classes.chip}
            aria-pressed={isAll}
            onClick={() => set({ date_from: undefined, date_to: undefined })}
          >
            {t('all_days')}
          </button>
        )}
        {quickSpans.map((name) => (
          <button
            key={name}
            type="button"
            className={classes.chip}
            data-span={name}
            aria-pressed={named === name}
            onClick={() => set(spanOf(name, serverNowMs()))}
          >
            {t(`span.${name}`)}
          </button>
        ))}
      </fieldset>
      <div className={classes.line}>
        <button
          type="button"
          className={classes.about}
          aria-expanded={isOpen}
          aria-controls={panelId}
          onClick={() => setIsOpen(!isOpen)}
        >
          <IconAdjustments size={20} stroke={1.75} aria-hidden="true" />
          <span>{about.join('\u00a0· ')}</span>
          <IconChevronDown size={18} stroke={1.75} aria-hidden="true" className={classes.fold} />
        </button>
        {tools}
      </div>
      <div id={panelId} className={classes.fields} data-open={isOpen || undefined}>
        <DayField
          label={t('date_from')}
          value={date_from}
          max={date_to}
          onChange={(day) => set({ date_from: day, date_to: day === undefined ? search.date_to : date_to })}
        />
        <DayField
          label={t('date_to')}
          value={date_to}
          min={date_from}
          onChange={(day) => set({ date_to: day, date_from: day === undefined ? search.date_from : date_from })}
        />
        <MarketChoice search={search} onChange={(product_code) => set({ product_code })} />
        {user.level !== 'member' && (
          <WhoField search={search} onChange={(who) => set({ user_id: who?.user_id, username: who?.username })} />
        )}
        {children !== undefined && <div className={classes.more}>{children}</div>}
      </div>
    </search>
  )
}

function daysOf({ date_from, date_to }: Partial<DaySpan>, language: Language): string | null {
  if (date_from === undefined && date_to === undefined) return null
  if (date_from !== undefined && date_to !== undefined) return formatDays(date_from, date_to, language)
  return [date_from, date_to].map((day) => (day === undefined ? '…' : formatDay(day, language, 'shortDay'))).join(' – ')
}

/** All markets, or some of them. */
function MarketChoice({
  search,
  onChange,
}: {
  search: ReportSearch
  onChange: (product_code: string | undefined) => void
}) {
  const t = useTranslations('reports.bar')
  const common = useTranslations('common.action')
  const language = useLocale()
  const { data: markets = [] } = useQuery(marketsQuery)
  const [isOpen, setIsOpen] = useState(false)
  const chosen = codesOf(search)
  const only = chosen.length === 1 ? markets.find(({ product_code }) => product_code === chosen[0]) : undefined
  const toggle = (code: string, isChosen: boolean): void => {
    const codes = isChosen ? [...chosen, code] : chosen.filter((one) => one !== code)
    onChange(codes.length === 0 ? undefined : codes.join(','))
  }
  return (
    <div>
      <span className={classes.label} id="report-markets">
        {t('markets')}
      </span>
      <button
        type="button"
        className={classes.pick}
        aria-describedby="report-markets"
        aria-haspopup="dialog"
        onClick={() => setIsOpen(true)}
      >
        {chosen.length === 0
          ? t('all_markets')
          : only === undefined
            ? t('some_markets', { count: chosen.length })
            : localizedName(only, language)}
        <IconChevronDown size={18} stroke={1.75} aria-hidden="true" />
      </button>
      <DialogSheet isOpen={isOpen} onClose={() => setIsOpen(false)} title={t('markets')}>
        <Grid least={200} below={12}>
          <Checkbox label={t('all_markets')} isChecked={chosen.length === 0} onChange={() => onChange(undefined)} />
          {markets.map((market) => (
            <Checkbox
              key={market.product_code}
              label={localizedName(market, language)}
              isChecked={chosen.includes(market.product_code)}
              onChange={(isChosen) => toggle(market.product_code, isChosen)}
            />
          ))}
        </Grid>
        <Button isWide onClick={() => setIsOpen(false)}>
          {common('close')}
        </Button>
      </DialogSheet>
    </div>
  )
}

const NOBODY: readonly DownlineUser[] = []

interface Who {
  user_id: string
  username: string
}

/** Somebody under the caller, by name; empty: the caller. */
function WhoField({ search, onChange }: { search: ReportSearch; onChange: (who: Who | null) => void }) {
  const t = useTranslations('reports.bar')
  const listId = useId()
  const [typed, setTyped] = useState(search.username ?? '')
  const [known, setKnown] = useState(search.username)
  const name = typed.trim().toLowerCase()
  if (known !== search.username) {
    setKnown(search.username)
    // Not while a longer name that begins with this one is being typed.
    if (search.username === undefined || !name.startsWith(search.username.toLowerCase()))
      setTyped(search.username ?? '')
  }
  const { data: people = NOBODY } = useQuery(peopleQuery(useDeferredValue(typed.trim())))
  const found = people.find(({ username }) => username.toLowerCase() === name)
  const latestOnChange = useRef(onChange)
  useEffect(() => {
    latestOnChange.current = onChange
  })
  // Names come a moment after the last key.
  useEffect(() => {
    if (found !== undefined) latestOnChange.current({ user_id: String(found.user_id), username: found.username })
  }, [found])
  const type = (text: string): void => {
    setTyped(text)
    if (text.trim() === '' && search.user_id !== undefined) onChange(null)
  }
  return (
    <div>
      <TextInput
        label={t('who')}
        placeholder={t('myself')}
        list={listId}
        autoCapitalize="off"
        autoComplete="off"
        maxLength={100}
        value={typed}
        onChange={(event) => type(event.currentTarget.value)}
      />
      <datalist id={listId}>
        {people.map(({ user_id, username }) => (
          <option key={user_id} value={username}>
            {username}
          </option>
        ))}
      </datalist>
    </div>
  )
}
