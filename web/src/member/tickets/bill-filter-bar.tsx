import { Button } from '../../ui/button.tsx'
import { TextInput } from '../../ui/text-input.tsx'
import IconFilter from '~icons/filter'
import IconSearch from '~icons/search'
import { useQuery } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { useLocale, useTranslations } from 'use-intl'
import { useTypedFilter } from '../../lib/forms/use-typed-filter.ts'
import { dropUndefined } from '../../lib/search/drop-undefined.ts'
import { useNames } from '../../shared/markets/use-names.ts'
import { localizedName } from '../../lib/i18n/localized-name.ts'
import { marketsQuery, periodsQuery } from '../../shared/markets/queries.ts'
import { DayField } from '../../ui/day-field.tsx'
import { Row } from '../../ui/layout.tsx'
import { SelectField } from '../../ui/select-field.tsx'
import classes from './bill-filter-bar.module.css'
import { billStatuses } from './bill-filters.ts'
import { countFilters } from './queries.ts'
import type { BillFilters } from './bill-filters.ts'

interface FilterBarProps {
  filters: BillFilters
  /** Without: the list has tickets of one status, and no periods to choose. */
  isAboutDeleted?: boolean
  onChange: (filters: BillFilters) => void
}

/** Looks for a ticket, and narrows the list; what is set shows in a number on the button while it is folded. */
export function BillFilterBar({ filters, isAboutDeleted = false, onChange }: FilterBarProps) {
  const t = useTranslations('bills.filter')
  const count = countFilters(filters)
  const [isOpen, setIsOpen] = useState(count > 0)
  const panelId = useId()
  return (
    <Row as="search" gap={8}>
      <SearchField text={filters.search} onChange={(search) => onChange({ ...filters, search })} />
      <Button
        variant="default"
        icon={<IconFilter size={18} stroke={1.75} />}
        aria-expanded={isOpen}
        aria-controls={panelId}
        onClick={() => setIsOpen(!isOpen)}
      >
        {count === 0 ? t('title') : t('title_set', { count: String(count) })}
      </Button>
      <div id={panelId} className={classes.panel} hidden={!isOpen}>
        {isOpen && <FilterFields {...{ filters, isAboutDeleted, onChange }} />}
        <Button
          variant="default"
          className={classes.clear}
          disabled={count === 0 && filters.search === undefined}
          onClick={() => onChange({})}
        >
          {t('clear')}
        </Button>
      </div>
    </Row>
  )
}

function SearchField({ text, onChange }: { text: string | undefined; onChange: (text: string) => void }) {
  const t = useTranslations('bills.filter')
  const typed = useTypedFilter(text, onChange)
  return (
    <TextInput
      className={classes.search}
      type="search"
      aria-label={t('search')}
      placeholder={t('search')}
      icon={<IconSearch size={20} stroke={1.75} aria-hidden="true" />}
      maxLength={200}
      {...typed}
    />
  )
}

const ALL = ''

function FilterFields({ filters, isAboutDeleted = false, onChange }: FilterBarProps) {
  const t = useTranslations('bills.filter')
  const common = useTranslations('common')
  const language = useLocale()
  const { data: markets = [] } = useQuery(marketsQuery)
  const { data: periods = [] } = useQuery(periodsQuery(isAboutDeleted ? undefined : filters.product_code))
  const { dayAndRound } = useNames()
  const set = (change: { [Name in keyof BillFilters]: BillFilters[Name] | undefined }): void =>
    onChange(dropUndefined({ ...filters, ...change }))
  return (
    <>
      <SelectField
        label={t('market')}
        value={filters.product_code ?? ALL}
        choices={[
          { value: ALL, label: t('all_markets') },
          ...markets.map((one) => ({ value: one.product_code, label: localizedName(one, language) })),
        ]}
        onChange={(code) => set({ product_code: code === ALL ? undefined : code, period_code: undefined })}
      />
      {!isAboutDeleted && (
        <>
          <SelectField
            label={t('period')}
            isDisabled={filters.product_code === undefined}
            value={filters.period_code ?? ALL}
            choices={[
              { value: ALL, label: filters.product_code === undefined ? t('market_first') : t('all_periods') },
              ...periods.map((period) => ({ value: period.period_code, label: dayAndRound(period) })),
            ]}
            onChange={(code) => set({ period_code: code === ALL ? undefined : code })}
          />
          <SelectField
            label={t('status')}
            value={filters.status ?? ALL}
            choices={[
              { value: ALL, label: t('all_statuses') },
              ...billStatuses.map((status) => ({ value: status, label: common(`order_status.${status}`) })),
            ]}
            onChange={(status) => set({ status: status === ALL ? undefined : status })}
          />
        </>
      )}
      <DayField
        label={t('date_from')}
        value={filters.date_from}
        max={filters.date_to}
        onChange={(date_from) => set({ date_from })}
      />
      <DayField
        label={t('date_to')}
        value={filters.date_to}
        min={filters.date_from}
        onChange={(date_to) => set({ date_to })}
      />
    </>
  )
}
