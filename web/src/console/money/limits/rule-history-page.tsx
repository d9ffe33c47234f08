import type { LimitRule } from '@megalot/contract'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useMemo } from 'react'
import { useLocale, useTranslations } from 'use-intl'
import { formatDay, formatInstant } from '../../../lib/format/dates.ts'
import { DataGrid } from '../../../ui/grid/data-grid.tsx'
import type { GridColumn } from '../../../ui/grid/grid-column.ts'
import { PageTitle } from '../../../ui/page-title.tsx'
import { EmptyNote } from '../../../ui/query-view.tsx'
import { RefreshButton } from '../../../ui/refresh-button.tsx'
import type { LimitRulesSearch } from './numbers-search.ts'
import { useGridState } from '../../lists/use-grid-state.ts'
import { RuleSheet } from './rule-sheet.tsx'
import classes from './numbers.module.css'
import { limitRuleQuery, limitRulesQuery } from './queries.ts'
import { type NumberWords, useNumberWords } from './use-number-words.ts'

const route = getRouteApi('/main/numbers/rules')

/** Every rule that was set, newest first; a rule is opened to read it whole, and to undo it. */
export function RuleHistoryPage() {
  const t = useTranslations('numbers')
  const tab = useTranslations('console.tab')
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const setSearch = (next: LimitRulesSearch): void => void navigate({ search: next, replace: true })
  const query = useInfiniteQuery(limitRulesQuery)
  const rows = query.data?.pages.flat()
  const columns = useRuleColumns()
  const grid = useGridState({ list: 'limit-rules', columns, search, onSearch: setSearch })
  const { rule_id, ...closed } = search
  const shown = rows?.find((rule) => rule.rule_id === rule_id)
  const isElsewhere = rule_id !== undefined && rows !== undefined && shown === undefined
  const elsewhere = useQuery({ ...limitRuleQuery(rule_id ?? 0), enabled: isElsewhere })
  const open = rule_id === undefined ? null : (shown ?? elsewhere.data ?? null)
  return (
    <>
      <PageTitle title={t('title')}>
        <RefreshButton isBusy={query.isRefetching} onRefresh={() => void query.refetch()} />
      </PageTitle>
      <DataGrid
        {...grid}
        label={tab('rules')}
        columns={columns}
        rows={rows}
        keyOf={(rule) => String(rule.rule_id)}
        error={query.error}
        onRetry={() => void query.refetch()}
        empty={<EmptyNote title={t('no_rules')}>{t('no_rules_hint')}</EmptyNote>}
        onOpen={(rule) => setSearch({ ...closed, rule_id: rule.rule_id })}
        more={{
          hasMore: query.hasNextPage,
          isBusy: query.isFetchingNextPage,
          onMore: () => void query.fetchNextPage(),
        }}
      />
      <RuleSheet rule={open} onClose={() => setSearch(closed)} />
    </>
  )
}

/** The first of several names, and the count of the others. */
function shorten(names: readonly string[], most: number): string {
  const [first, rest] = [names.slice(0, most).join(', '), names.length - most]
  return rest > 0 ? `${first} +${rest}` : first
}

const MARKETS_SHOWN = 2
const NUMBERS_SHOWN = 6
const TYPES_SHOWN = 3

function placesOf({ is_standing, product_codes, period_codes }: LimitRule, words: NumberWords): string {
  const names = is_standing
    ? product_codes.map((code) => words.marketName(code))
    : period_codes.map((code) => words.periodName(code, null))
  return shorten(names, MARKETS_SHOWN)
}

function useRuleColumns(): readonly GridColumn<LimitRule>[] {
  const t = useTranslations('numbers')
  const language = useLocale()
  const words = useNumberWords()
  return useMemo(() => {
    const column = (
      name: string,
      read: (rule: LimitRule) => string,
      more: Partial<GridColumn<LimitRule>> = {},
    ): GridColumn<LimitRule> => ({
      name,
      label: t(`column.${name}` as 'column.number'),
      text: read,
      cell: read,
      ...more,
    })
    const numbersOf = ({ numbers }: LimitRule): string =>
      shorten([...new Set(numbers.flatMap((one) => one.numbers))], NUMBERS_SHOWN)
    const typesOf = ({ numbers }: LimitRule): string =>
      shorten(
        numbers.map(({ bet_type }) => words.typeName(bet_type)),
        TYPES_SHOWN,
      )
    const lastsOf = ({ is_standing, until_date }: LimitRule): string => {
      if (!is_standing) return t('scope.period_only')
      return until_date === null ? t('no_end') : t('until_day', { day: formatDay(until_date, language) })
    }
    const stateOf = ({ undone_at }: LimitRule): string => t(undone_at === null ? 'state.set' : 'state.undone')
    return [
      column('set_at', ({ set_at }) => formatInstant(set_at, language, 'dayAndTime'), {
        isRowName: true,
        width: 'minmax(9rem, 1fr)',
      }),
      column('numbers', numbersOf, { width: 'minmax(8rem, 1.4fr)' }),
      column('bet_type', typesOf, { width: 'minmax(8rem, 1fr)' }),
      column('value', ({ value }) => words.valueText(value), { width: 'minmax(8rem, 1fr)' }),
      column('where', (rule) => placesOf(rule, words), { width: 'minmax(12rem, 1.6fr)' }),
      column('lasts', lastsOf),
      column('set_by', ({ set_by }) => set_by.username),
      column('state', stateOf, {
        cell: (rule) => (
          <span className={classes.state} data-undone={rule.undone_at !== null || undefined}>
            {stateOf(rule)}
          </span>
        ),
      }),
      column('reason', ({ reason }) => reason ?? '–', { isOptional: true }),
    ]
  }, [t, language, words])
}
