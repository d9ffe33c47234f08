import type { Permission, User } from '@megalot/contract'
import { useQuery } from '@tanstack/react-query'
import type { NavigateOptions } from '@tanstack/react-router'
import { useDeferredValue } from 'react'
import { useLocale, useTranslations } from 'use-intl'
import { marketsQuery, NO_MARKETS } from '../../shared/markets/queries.ts'
import { formatDay, formatInstant } from '../../lib/format/dates.ts'
import { formatBaht } from '../../lib/format/money.ts'
import { useNames } from '../../shared/markets/use-names.ts'
import { localizedName } from '../../lib/i18n/localized-name.ts'
import { manualPartsOf } from '../account/guide/manual-parts.ts'
import { navigationOf, permissionsOf } from '../menu.ts'
import { useScreenName } from '../shell/use-screen-name.ts'
import { type Deed, type DeedKind, fitOf, otherWords, readDeed } from './deeds.ts'
import { foundTicketsQuery, foundUsersQuery, roundsQuery } from './queries.ts'

export interface PaletteResult {
  key: string
  name: string
  detail: string
  target: NavigateOptions
}

export interface PaletteGroup {
  name: 'deeds' | 'screens' | 'people' | 'tickets' | 'periods' | 'manual'
  results: readonly PaletteResult[]
}

/** Fewer letters name too many users. */
const MIN_LETTERS = 2
const MAX_MARKETS = 5
const MAX_PERIODS = 5

function includes(text: string, words: string): boolean {
  return text.normalize('NFKC').toLowerCase().includes(words)
}

/** Results for the typed text. Pages and markets are known here; users and tickets are asked of the server. */
export function usePaletteResults(user: User, typed: string) {
  const text = useDeferredValue(typed.normalize('NFKC').trim())
  const words = text.toLowerCase()
  const permissions = permissionsOf(user)
  const isLong = text.replace(/^#/, '').length >= MIN_LETTERS
  const deed = readDeed(text)
  const people = useQuery({ ...foundUsersQuery(deed?.name ?? text), enabled: isLong && permissions.has('people.view') })
  const tickets = useQuery({
    ...foundTicketsQuery(text.replace(/^#/, '')),
    enabled: /^#?\d{2,15}$/.test(text) && permissions.has('tickets.view'),
  })
  const users = isLong ? people.data : undefined
  const groups: readonly PaletteGroup[] = [
    { name: 'deeds', results: useDeeds(user, deed, users) },
    { name: 'screens', results: useScreens(user, words) },
    { name: 'people', results: useFoundUsers(users) },
    { name: 'tickets', results: useFoundTickets(tickets.data) },
    { name: 'periods', results: useFoundPeriods(words, isLong) },
    { name: 'manual', results: useManualParts(user, words, isLong) },
  ]
  const isBusy =
    typed.trim() !== text ||
    (people.isFetching && people.data === undefined) ||
    (tickets.isFetching && tickets.data === undefined)
  return { groups, isBusy, hasFailed: people.isError || tickets.isError }
}

function useScreens(user: User, words: string): readonly PaletteResult[] {
  const t = useTranslations('console')
  const nameOf = useScreenName()
  const known = navigationOf(user).flatMap(({ name: group, screens }) =>
    screens.flatMap((screen) => {
      const name = nameOf(screen)
      const [first] = screen.tabs
      const others = otherWords[first.name] ?? []
      const entry = {
        result: {
          key: `screen ${screen.name}`,
          name,
          detail: t(`group.${group}`),
          target: { to: first.page.path } as NavigateOptions,
        },
        words: [name, ...others],
      }
      const tabs = screen.tabs.map((tab) => ({
        result: {
          key: `tab ${tab.name}`,
          name: t(`tab.${tab.name}`),
          detail: name,
          target: { to: tab.page.path } as NavigateOptions,
        },
        words: [t(`tab.${tab.name}`), ...(tab === first ? [] : (otherWords[tab.name] ?? []))],
      }))
      return screen.tabs.length === 1 ? [entry] : [entry, ...tabs]
    }),
  )
  return known
    .flatMap(({ result, words: own }) => {
      const fit = fitOf(words, own)
      return fit === null ? [] : [{ result, fit }]
    })
    .toSorted((one, other) => one.fit - other.fit)
    .map(({ result }) => result)
}

const needsOfDeed: Readonly<Record<DeedKind, Permission>> = {
  receive: 'money.do',
  pay: 'money.do',
  credit: 'credit.do',
}

/** Deeds on the users whom a typed name finds. Each opens the profile with its form. */
function useDeeds(user: User, deed: Deed | null, users: readonly FoundUser[] = []): readonly PaletteResult[] {
  const t = useTranslations('palette.deed')
  if (deed === null || !permissionsOf(user).has(needsOfDeed[deed.kind])) return []
  const { kind, amount_satang } = deed
  const amount = amount_satang === null ? '' : formatBaht(amount_satang)
  return users.map(({ user_id, username, display_name }) => ({
    key: `deed ${user_id}`,
    name: t(kind, { username }),
    detail: [display_name, amount].filter((part) => part !== '').join(' · '),
    target: {
      to: '/people/$user_id',
      params: { user_id: String(user_id) },
      search:
        kind === 'credit' ? { credit: amount_satang === null ? 'open' : String(amount_satang / 100) } : { money: kind },
    } as NavigateOptions,
  }))
}

/** Tasks of the manual by their titles, about the pages that the user may open. */
function useManualParts(user: User, words: string, isLong: boolean): readonly PaletteResult[] {
  const t = useTranslations('console')
  const task = useTranslations('palette.task')
  if (!isLong) return []
  return manualPartsOf(user)
    .map(({ name }): PaletteResult => ({
      key: `manual ${name}`,
      name: task(name),
      detail: t('tab.guide'),
      target: { to: '/guide', hash: name },
    }))
    .filter(({ name }) => includes(name, words))
}

type FoundUser = Awaited<ReturnType<NonNullable<ReturnType<typeof foundUsersQuery>['queryFn']>>>[number]

function useFoundUsers(users: readonly FoundUser[] = []): readonly PaletteResult[] {
  const ofUser = useTranslations('user')
  return users.map(({ user_id, username, display_name, level }) => ({
    key: `user ${user_id}`,
    name: username,
    detail: [display_name, ofUser(`level.${level}`)].filter((part) => part !== '').join(' · '),
    target: { to: '/people/$user_id', params: { user_id: String(user_id) } },
  }))
}

type FoundTicket = Awaited<ReturnType<NonNullable<ReturnType<typeof foundTicketsQuery>['queryFn']>>>[number]

function useFoundTickets(orders: readonly FoundTicket[] = []): readonly PaletteResult[] {
  const language = useLocale()
  return orders.map(({ order_id, username, net_satang, created_at }) => ({
    key: `ticket ${order_id}`,
    name: `#${order_id}`,
    detail: [username, formatBaht(net_satang), formatInstant(created_at, language, 'dayAndTime')].join(' · '),
    target: { to: '/bills/$order_id', params: { order_id: String(order_id) } },
  }))
}

/** `yeekee 25`, `ยี่กี รอบ 25`: a market and a round of it. */
const NAME_AND_ROUND = /^(.*?\S)\s+(?:round\s*|รอบ(?:ที่)?\s*)?(\d{1,3})$/

/** Markets by name. A single match also lists its last periods, or the periods of a round. */
function useFoundPeriods(words: string, isLong: boolean): readonly PaletteResult[] {
  const common = useTranslations('common')
  const language = useLocale()
  const { dayAndRound } = useNames()
  const { data: markets = NO_MARKETS } = useQuery(marketsQuery)
  const namedBy = (text: string) =>
    markets.filter(({ name_th, name_en, product_code }) =>
      [name_th, name_en, product_code].some((name) => includes(name, text)),
    )
  const whole = isLong ? namedBy(words) : []
  const [, name, round] = (isLong && whole.length === 0 && NAME_AND_ROUND.exec(words)) || []
  const found = name === undefined ? whole : namedBy(name)
  const only = found.length === 1 ? found[0] : undefined
  const { data: all = [] } = useQuery(roundsQuery(only?.product_code))
  const periods = round === undefined ? all : all.filter((period) => period.round === Number(round))
  const ofMarkets = found.slice(0, MAX_MARKETS).map((market) => ({
    key: `market ${market.product_code}`,
    name: localizedName(market, language),
    detail: market.current_period === null ? '' : formatDay(market.current_period.period_date, language),
    target: { to: '/markets/$product_code', params: { product_code: market.product_code } } as NavigateOptions,
  }))
  if (only === undefined) return ofMarkets
  const ofPeriods = periods.slice(0, MAX_PERIODS).map((period) => ({
    key: `period ${period.period_code}`,
    name: `${localizedName(only, language)} · ${dayAndRound(period)}`,
    detail: common(`period_status.${period.status}`),
    target: {
      to: '/tickets',
      search: { product_code: only.product_code, period_code: period.period_code },
    } as NavigateOptions,
  }))
  // A named round replaces its market.
  return round === undefined ? [...ofMarkets, ...ofPeriods] : [...ofPeriods, ...ofMarkets]
}
