// The addresses of the console's lists beyond what every list has.

import type { BetTypeCode } from '@megalot/rules'
import { isDay } from '../lib/format/calendar-day.ts'
import { readGridSearch } from './grid-search.ts'
import type { GridSearch } from './grid-search.ts'

const TEXT_LENGTH = 200
const DAY_AND_TIME = /^(19|2\d)\d{2}-\d{2}-\d{2}T\d{2}:\d{2}$/
const BAHT = /^\d{1,9}(\.\d{1,2})?$/
const USERNAME = /^[\w.-]{1,255}$/

/** Addresses write a number that was typed as a number. */
function readText(value: unknown): string | undefined {
  const text = typeof value === 'string' || typeof value === 'number' ? String(value).trim() : ''
  return text === '' || text.length > TEXT_LENGTH ? undefined : text
}

const peopleLevels = ['super_senior', 'senior', 'master', 'agent', 'member'] as const
const peopleStatuses = ['NORMAL', 'DISABLED_BET', 'SUSPENDED'] as const

export interface PeopleSearch extends GridSearch {
  /** `tree`: the line as a tree in place of a list. */
  form?: 'tree'
  /** The nodes of the tree that are open: ids with commas between. */
  open?: string
  /** A part of a username or of a name. */
  search?: string
  level?: (typeof peopleLevels)[number]
  /** The status in force. */
  status?: (typeof peopleStatuses)[number]
  is_online?: 'true' | 'false'
  /** Who has this package: a market and a package with a slash between. */
  package?: string
  /** Who has registered with this code. */
  agent_code?: string
}

export function readPeopleSearch(raw: Record<string, unknown>): PeopleSearch {
  const search = readText(raw['search'])
  const level = peopleLevels.find((one) => one === raw['level'])
  const status = peopleStatuses.find((one) => one === raw['status'])
  const is_online = (['true', 'false'] as const).find((one) => one === String(raw['is_online']))
  const packageName = readForm(raw['package'], /^[\w-]{1,40}\/[\w-]{1,40}$/)
  const agent_code = readForm(raw['agent_code'], /^[A-Za-z0-9]{4,20}$/)
  const open = readForm(raw['open'], /^\d{1,15}(,\d{1,15}){0,49}$/)
  return {
    ...readGridSearch(raw),
    ...(raw['form'] === 'tree' ? { form: 'tree' } : {}),
    ...(open === undefined ? {} : { open }),
    ...(search === undefined ? {} : { search }),
    ...(level === undefined ? {} : { level }),
    ...(status === undefined ? {} : { status }),
    ...(is_online === undefined ? {} : { is_online }),
    ...(packageName === undefined ? {} : { package: packageName }),
    ...(agent_code === undefined ? {} : { agent_code }),
  }
}

/** A text, or a number that was one, of a certain form. */
function readForm(value: unknown, form: RegExp): string | undefined {
  const text = readText(value)
  return text !== undefined && form.test(text) ? text : undefined
}

export const profileTabs = ['summary', 'terms', 'limits', 'tickets', 'sessions', 'history'] as const

export interface ProfileSearch {
  tab?: (typeof profileTabs)[number]
}

export function readProfileSearch(raw: Record<string, unknown>): ProfileSearch {
  const tab = profileTabs.find((one) => one === raw['tab'])
  return tab === undefined ? {} : { tab }
}

export interface ApprovalsSearch extends GridSearch {
  /** `decided`: what has been decided or has expired, in place of what waits. */
  list?: 'decided'
}

export function readApprovalsSearch(raw: Record<string, unknown>): ApprovalsSearch {
  return { ...readGridSearch(raw), ...(raw['list'] === 'decided' ? { list: 'decided' } : {}) }
}

/** `now`: what is open, awaits something, or has an alert; `all`: also what is done or still to open. */
export const dayFilters = ['now', 'open', 'due', 'alerts', 'done', 'all'] as const
export type DayFilter = (typeof dayFilters)[number]

export interface TodaySearch extends GridSearch {
  /** Only a part of the day's periods; absent: what is to be watched now. */
  show?: DayFilter
}

export function readTodaySearch(raw: Record<string, unknown>): TodaySearch {
  const show = dayFilters.find((one) => one === raw['show'])
  return { ...readGridSearch(raw), ...(show === undefined || show === 'now' ? {} : { show }) }
}

export interface CalendarSearch {
  /** As `2026-01`; absent: the present one. */
  month?: string
}

export function readCalendarSearch(raw: Record<string, unknown>): CalendarSearch {
  const month = readForm(raw['month'], /^20\d\d-(0[1-9]|1[0-2])$/)
  return month === undefined ? {} : { month }
}

export interface ResultsSearch {
  /** The period whose result is entered; absent: one is chosen. */
  period?: string
}

export function readResultsSearch(raw: Record<string, unknown>): ResultsSearch {
  const period = readForm(raw['period'], /^[a-z0-9-]{1,60}$/)
  return period === undefined ? {} : { period }
}

const CODE = /^[a-z0-9]+(-[a-z0-9]+)*$/
const BET_TYPE = /^(3(top|roll|front|bottom)|2(top|bottom|roll)|1(top|bottom))$/
const riskMeasures = ['payout', 'stake', 'own_payout', 'own_stake', 'quota', 'lines'] as const

export interface RiskSearch {
  /** Absent: the one that closes next. */
  market?: string
  /** The code of a period, only together with its market; absent: the market's current one. */
  period?: string
  /** `results`: by result, in place of by number. */
  by?: 'results'
  /** By number: a table of numbers by bet types, or a list of numbers of bet types. Absent: what suits the screen. */
  view?: 'table' | 'list'
  bet_type?: BetTypeCode
  /** What a cell of the table shows. */
  show?: (typeof riskMeasures)[number]
  /** By number where it is `number`; otherwise the highest first, payouts where it is absent. */
  sort?: 'number' | (typeof riskMeasures)[number]
  /** Digits of a number. */
  search?: string
  /** Also numbers that nobody has bet on. */
  all?: true
  /** By result: only the part that the user keeps. */
  part?: 'own'
}

export function readRiskSearch(raw: Record<string, unknown>): RiskSearch {
  const period = readForm(raw['period'], CODE)
  const view = (['table', 'list'] as const).find((one) => one === raw['view'])
  // The rules themselves are no part of the first load.
  const bet_type = readForm(raw['bet_type'], BET_TYPE) as BetTypeCode | undefined
  const market = readForm(raw['market'], CODE)
  const show = riskMeasures.find((one) => one === raw['show'])
  const sort = (['number', ...riskMeasures] as const).find((one) => one === raw['sort'])
  const search = readForm(raw['search'], /^\d{1,3}$/)
  return {
    ...(market === undefined ? {} : { market }),
    ...(market === undefined || period === undefined ? {} : { period }),
    ...(raw['by'] === 'results' ? { by: 'results' } : {}),
    ...(view === undefined ? {} : { view }),
    ...(bet_type === undefined ? {} : { bet_type }),
    ...(show === undefined ? {} : { show }),
    ...(sort === undefined ? {} : { sort }),
    ...(search === undefined ? {} : { search }),
    ...(raw['all'] === true ? { all: true } : {}),
    ...(raw['part'] === 'own' ? { part: 'own' } : {}),
  }
}

export interface TermsSearch {
  /** A market and a package with a slash between. */
  package?: string
}

export function readTermsSearch(raw: Record<string, unknown>): TermsSearch {
  const packageName = readForm(raw['package'], /^[\w-]{1,40}\/[\w-]{1,40}$/)
  return packageName === undefined ? {} : { package: packageName }
}

export interface LimitRulesSearch extends GridSearch {
  /** The rule that is open. */
  rule_id?: number
}

export function readLimitRulesSearch(raw: Record<string, unknown>): LimitRulesSearch {
  const { rule_id } = raw
  return {
    ...readGridSearch(raw),
    ...(Number.isSafeInteger(rule_id) && Number(rule_id) > 0 ? { rule_id: Number(rule_id) } : {}),
  }
}

export interface StandingNumbersSearch extends GridSearch {
  product_code?: string
}

export function readStandingNumbersSearch(raw: Record<string, unknown>): StandingNumbersSearch {
  const product_code = readForm(raw['product_code'], /^[\w-]{1,40}$/)
  return { ...readGridSearch(raw), ...(product_code === undefined ? {} : { product_code }) }
}

export interface QuotasSearch extends GridSearch {
  /** The market whose quotas are shown. */
  product_code?: string
  /** The code of one of its bet types. */
  bet_type?: string
  /** The key of the row that is open. */
  open?: string
}

export function readQuotasSearch(raw: Record<string, unknown>): QuotasSearch {
  const product_code = readForm(raw['product_code'], /^[\w-]{1,40}$/)
  const open = readText(raw['open'])
  const bet_type = readForm(raw['bet_type'], /^[1-3][a-z]{3,6}$/)
  return {
    ...readGridSearch(raw),
    ...(product_code === undefined ? {} : { product_code }),
    ...(bet_type === undefined ? {} : { bet_type }),
    ...(open === undefined ? {} : { open }),
  }
}

export const ticketStates = ['CONFIRMED', 'WAIT_CONFIRM', 'CANCELLED', 'DELETED'] as const

export interface TicketsSearch extends GridSearch {
  /** A ticket's number, a username, a period's code, a number that was bet on, or a part of a note. */
  search?: string
  username?: string
  product_code?: string
  period_code?: string
  state?: (typeof ticketStates)[number]
  /** As in a field for a day and a time, in Bangkok. */
  placed_from?: string
  placed_to?: string
  /** Baht, as typed. */
  bet_from?: string
  bet_to?: string
  /** The network address of the owner's log-in. */
  address?: string
  /** `off`: the list does not follow new tickets. */
  live?: 'off'
}

export function readTicketsSearch(raw: Record<string, unknown>): TicketsSearch {
  const search = readText(raw['search'])
  const username = readText(raw['username'])
  const state = ticketStates.find((one) => one === raw['state'])
  const forms = {
    product_code: /^[a-z0-9-]{1,40}$/,
    period_code: /^[a-z0-9-]{1,60}$/,
    placed_from: DAY_AND_TIME,
    placed_to: DAY_AND_TIME,
    bet_from: BAHT,
    bet_to: BAHT,
    address: /^[\dA-Fa-f.:]{2,60}$/,
  }
  const read = Object.entries(forms).flatMap(([name, form]) => {
    const text = readForm(raw[name], form)
    return text === undefined ? [] : [[name, text]]
  })
  return {
    ...readGridSearch(raw),
    ...(search === undefined ? {} : { search }),
    ...(username !== undefined && USERNAME.test(username) ? { username } : {}),
    ...(Object.fromEntries(read) as Partial<Record<keyof typeof forms, string>>),
    ...(state === undefined ? {} : { state }),
    ...(raw['live'] === 'off' ? { live: 'off' } : {}),
  }
}

/** Whether a text may be a whole username. */
export function isUsername(text: string): boolean {
  return USERNAME.test(text)
}

function readName(value: unknown): string | undefined {
  const name = readText(value)
  return name !== undefined && isUsername(name) ? name : undefined
}

export interface SessionsSearch extends GridSearch {
  /** Whose sessions; absent: one's own. */
  scope?: 'staff' | 'downline'
}

export function readSessionsSearch(raw: Record<string, unknown>): SessionsSearch {
  const { scope } = raw
  return { ...readGridSearch(raw), ...(scope === 'staff' || scope === 'downline' ? { scope } : {}) }
}

export interface StaffSearch extends GridSearch {
  /** The username of the one whose details are open. */
  user?: string
  /** The form that is open. */
  add?: 'assistant' | 'office'
}

export function readStaffSearch(raw: Record<string, unknown>): StaffSearch {
  const user = readName(raw['user'])
  const { add } = raw
  return {
    ...readGridSearch(raw),
    ...(user === undefined ? {} : { user }),
    ...(add === 'assistant' || add === 'office' ? { add } : {}),
  }
}

export interface SignalsSearch extends GridSearch {
  /** Days in Bangkok, both included; absent: the last seven. */
  date_from?: string
  date_to?: string
  kind?: string
  /** The key of the signal whose details are open. */
  row?: string
}

export function readSignalsSearch(raw: Record<string, unknown>): SignalsSearch {
  const { date_from, date_to } = raw
  const kind = readForm(raw['kind'], /^[a-z_]{1,40}$/)
  const row = readForm(raw['row'], /^[\w:-]{1,150}$/)
  return {
    ...readGridSearch(raw),
    ...(isDay(date_from) ? { date_from } : {}),
    ...(isDay(date_to) ? { date_to } : {}),
    ...(kind === undefined ? {} : { kind }),
    ...(row === undefined ? {} : { row }),
  }
}

export interface AuditSearch extends GridSearch {
  /** Days in Bangkok, both included. */
  date_from?: string
  date_to?: string
  /** Usernames. */
  actor?: string
  principal?: string
  subject_user?: string
  /** Such as `user:12`. */
  subject?: string
  action?: string
  /** The number of the row whose details are open. */
  row?: number
}

export function readAuditSearch(raw: Record<string, unknown>): AuditSearch {
  const { date_from, date_to, action, row } = raw
  const [actor, principal, subject_user] = [raw['actor'], raw['principal'], raw['subject_user']].map(readName)
  const subject = readText(raw['subject'])
  return {
    ...readGridSearch(raw),
    ...(isDay(date_from) ? { date_from } : {}),
    ...(isDay(date_to) ? { date_to } : {}),
    ...(actor === undefined ? {} : { actor }),
    ...(principal === undefined ? {} : { principal }),
    ...(subject_user === undefined ? {} : { subject_user }),
    ...(subject === undefined ? {} : { subject }),
    ...(typeof action === 'string' && /^[a-z_]{1,60}$/.test(action) ? { action } : {}),
    ...(Number.isSafeInteger(row) && Number(row) > 0 ? { row: Number(row) } : {}),
  }
}
