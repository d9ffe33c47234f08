// Every report and list as its page first requests it, and the most expensive requests to them.

import * as contract from '@megalot/contract'
import type { History } from './seed-history.ts'

export type Role = 'member' | 'agent' | 'company' | 'office'

export interface MeasuredCall {
  name: string
  as: Role
  method: contract.Method
  path: string
  body?: object
}

type Values = Record<string, string>

/** The path of a route with its parameters and query. */
function pathOf(route: contract.Route, query: Values = {}, params: Values = {}): string {
  const path = route.path.replaceAll(/:(\w+)/g, (_, name: string) => params[name] ?? '')
  const search = new URLSearchParams(query).toString()
  return search === '' ? path : `${path}?${search}`
}

function get(name: string, as: Role, route: contract.Route, query: Values = {}, params: Values = {}): MeasuredCall {
  return { name, as, method: 'GET', path: pathOf(route, query, params) }
}

function summary(name: string, as: Role, group_by: contract.SummaryGroup, span: object): MeasuredCall {
  return { name, as, method: 'POST', path: contract.getWinLossSummary.path, body: { ...span, group_by } }
}

export function listCalls(history: History): MeasuredCall[] {
  const { first_day, last_day, period_code, busiest_name } = history
  const order_id = String(history.order_id)
  const user_id = String(history.busiest_id)
  const year = { date_from: yearBefore(last_day), date_to: last_day }
  const firstDays = { date_from: first_day, date_to: dayAfter(first_day, 3) }
  const lastDays = { date_from: dayAfter(last_day, -30), date_to: last_day }
  const product_code = 'hanoi-vip'
  const list = { with_period: 'true', v: '2' }

  const bills = (['member', 'agent', 'office'] as const).flatMap((as) => [
    get('bills', as, contract.listOrders, list),
    get('bills behind', as, contract.listOrders, { ...list, before: order_id }),
    get('bills of a market', as, contract.listOrders, { ...list, product_code }),
    get('bills of a period', as, contract.listOrders, { ...list, period_code }),
    get('bills of first days', as, contract.listOrders, { ...list, ...firstDays }),
    get('bills cancelled', as, contract.listOrders, { ...list, status: 'CANCELLED' }),
    get('bills live', as, contract.listOrders, { ...list, status: 'CONFIRMED,WAIT_CONFIRM' }),
    get('bills by note', as, contract.listOrders, { ...list, search: 'note 12' }),
    get('bills by no note', as, contract.listOrders, { ...list, search: 'nobody wrote this' }),
    get('bills by number', as, contract.listOrders, { ...list, search: order_id }),
    get('bills by a bet', as, contract.listOrders, { ...list, search: '42' }),
    get('bills by a bet of nobody', as, contract.listOrders, { ...list, search: '777' }),
    get('bills deleted', as, contract.listDeletedOrders),
    get('period list', as, contract.listPeriodOrders, { period_code, page: '0', ipp: '15', v: '2' }),
    get('bill', as, contract.getOrder, {}, { order_id }),
  ])
  const winLoss = (['member', 'agent', 'company'] as const).flatMap((as) => [
    get('win/loss', as, contract.listPeriodWinLoss),
    get('win/loss of a year', as, contract.listPeriodWinLoss, year),
    get('win only of a year', as, contract.listPeriodWinLoss, { ...year, filter: 'win_only' }),
    ...contract.summaryGroup.options.flatMap((group) => [
      summary(`summary by ${group}`, as, group, lastDays),
      summary(`summary of a year by ${group}`, as, group, year),
    ]),
  ])
  const inPeriod = contract.winLossFilter.options.map((filter) =>
    get(`tickets of a period, ${filter}`, 'member', contract.listPeriodWinLossTickets, { filter }, { period_code }),
  )
  const statements = [
    get('statement', 'member', contract.listTransactions),
    get('statement of first days', 'member', contract.listTransactions, firstDays),
    get('statement of a market', 'member', contract.listTransactions, { product_code }),
    get('statement', 'agent', contract.listUserTransactions, {}, { user_id }),
    get('statement of first days', 'office', contract.listUserTransactions, firstDays, { user_id }),
  ]
  const others = [
    get('bills of a member', 'agent', contract.listOrders, { ...list, username: busiest_name }),
    get('luckiest numbers', 'member', contract.listLuckiestNumbers),
    get('notices', 'member', contract.listNotices),
    get('own wins', 'member', contract.listOwnWins, { period_code }),
    get('results', 'member', contract.listAwardsFrom, {}, { date_from: first_day }),
    get('last results', 'member', contract.listProductAwards, { product_code }),
    get('statistics', 'member', contract.getAwardStatistics, {}, { product_code }),
  ]
  return [...bills, ...winLoss, ...inPeriod, ...statements, ...others]
}

function dayAfter(day: string, days: number): string {
  return new Date(Date.parse(day) + days * 86_400_000).toISOString().slice(0, 10)
}

const yearBefore = (day: string): string => dayAfter(day, -366)
