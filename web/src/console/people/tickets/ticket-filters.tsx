import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useLocale, useTranslations } from 'use-intl'
import { marketsQuery, NO_MARKETS, periodsQuery } from '../../../shared/markets/queries.ts'
import { useNames } from '../../../shared/markets/use-names.ts'
import { localizedName } from '../../../lib/i18n/localized-name.ts'
import { useUser } from '../../../lib/user/user-query.ts'
import { Button } from '../../../ui/button.tsx'
import { Stack } from '../../../ui/layout.tsx'
import { SelectField } from '../../../ui/select-field.tsx'
import { TextInput } from '../../../ui/text-input.tsx'
import { BELOW_TABLET_MEDIA } from '../../../ui/tokens.ts'
import classes from '../../lists/lists.module.css'
import { permissionsOf } from '../../menu.ts'
import { ticketStates } from './tickets-search.ts'
import type { TicketsSearch } from './tickets-search.ts'
import { useTypedFilter } from '../../../lib/forms/use-typed-filter.ts'
import tickets from './tickets.module.css'

const names = [
  'search',
  'username',
  'product_code',
  'period_code',
  'state',
  'placed_from',
  'placed_to',
  'bet_from',
  'bet_to',
  'address',
] as const
type Name = (typeof names)[number]

interface TicketFiltersProps {
  search: TicketsSearch
  onSearch: (search: TicketsSearch) => void
}

/** A search field for tickets, and further filters. */
export function TicketFilters({ search, onSearch }: TicketFiltersProps) {
  const t = useTranslations('tickets')
  const filter = useTranslations('tickets.filter')
  const statusName = useTranslations('common.order_status')
  const mayViewPeople = permissionsOf(useUser()).has('people.view')
  const set = (name: Name, value: string): void => {
    const { [name]: _before, ...rest } = name === 'product_code' ? withoutPeriod(search) : search
    onSearch(value === '' ? rest : { ...rest, [name]: value })
  }
  const clear = (): void =>
    onSearch(Object.fromEntries(Object.entries(search).filter(([name]) => !names.includes(name as Name))))
  const isNarrowed = names.some((name) => name !== 'search' && search[name] !== undefined)
  const [isOpenAtFirst] = useState(() => isNarrowed || !matchMedia(BELOW_TABLET_MEDIA).matches)
  return (
    <Stack as="search" gap={4} align="start" className={tickets.filters}>
      <TypedField name="search" label={t('search')} maxLength={200} {...{ search, set }} />
      <details open={isOpenAtFirst}>
        <summary>{filter('more')}</summary>
        <div className={`${classes.fields} ${tickets.fields}`}>
          <TypedField name="username" label={t('member')} maxLength={255} {...{ search, set }} />
          <MarketFields search={search} set={set} />
          <SelectField
            label={filter('state')}
            value={search.state ?? ''}
            choices={[
              { value: '', label: filter('any') },
              ...ticketStates.map((value) => ({ value, label: statusName(value) })),
            ]}
            onChange={(state) => set('state', state)}
          />
          <TypedField name="bet_from" label={filter('bet_from')} inputMode="decimal" {...{ search, set }} />
          <TypedField name="bet_to" label={filter('bet_to')} inputMode="decimal" {...{ search, set }} />
          <TimeField name="placed_from" label={filter('placed_from')} {...{ search, set }} />
          <TimeField name="placed_to" label={filter('placed_to')} {...{ search, set }} />
          {mayViewPeople && <TypedField name="address" label={filter('address')} maxLength={60} {...{ search, set }} />}
        </div>
      </details>
      {(isNarrowed || search.search !== undefined) && (
        <Button variant="subtle" onClick={clear}>
          {filter('clear')}
        </Button>
      )}
    </Stack>
  )
}

/** Lists the periods of one market. */
function withoutPeriod({ period_code: _period, ...rest }: TicketsSearch): TicketsSearch {
  return rest
}

interface FieldProps {
  search: TicketsSearch
  set: (name: Name, value: string) => void
}

type TypedName = 'search' | 'username' | 'bet_from' | 'bet_to' | 'address'

interface TypedFieldProps extends FieldProps {
  name: TypedName
  label: string
  maxLength?: number
  inputMode?: 'decimal'
}

function TypedField({ name, search, set, maxLength = 12, ...field }: TypedFieldProps) {
  const typed = useTypedFilter(search[name], (text) => set(name, text))
  return <TextInput type="search" maxLength={maxLength} autoCapitalize="off" spellCheck={false} {...field} {...typed} />
}

function TimeField({ name, label, search, set }: FieldProps & { name: 'placed_from' | 'placed_to'; label: string }) {
  return (
    <TextInput
      type="datetime-local"
      label={label}
      value={search[name] ?? ''}
      onChange={(event) => set(name, event.currentTarget.value)}
    />
  )
}

/** A market, and one of its last periods. */
function MarketFields({ search, set }: FieldProps) {
  const filter = useTranslations('tickets.filter')
  const language = useLocale()
  const { data: markets = NO_MARKETS } = useQuery(marketsQuery)
  const { data: periods = [] } = useQuery(periodsQuery(search.product_code))
  const { dayAndRound } = useNames()
  const any = { value: '', label: filter('any') }
  return (
    <>
      <SelectField
        label={filter('market')}
        value={search.product_code ?? ''}
        choices={[
          any,
          ...markets.map((market) => ({ value: market.product_code, label: localizedName(market, language) })),
        ]}
        onChange={(product_code) => set('product_code', product_code)}
      />
      {search.product_code !== undefined && (
        <SelectField
          label={filter('period')}
          value={search.period_code ?? ''}
          choices={[any, ...periods.map((period) => ({ value: period.period_code, label: dayAndRound(period) }))]}
          onChange={(period_code) => set('period_code', period_code)}
        />
      )}
    </>
  )
}
