// The specification's calls ignore unknown keys; all other calls refuse them.

import { routes } from '@megalot/contract'
import { expect, test } from 'vitest'
import type { RouteName } from './access-matrix.ts'
import { proposePeriod } from './approvals.ts'
import { type CallSubject, sampleCalls, urlOf } from './sample-calls.ts'
import { announce, makeTicket, openPeriod, placeTicket } from './scenes.ts'
import { startTestApp, type TestCaller } from './test-app.ts'

/** Section 7 of the specification, by method and path. */
const specified = `
POST /megalot/auth/login
POST /megalot/auth
POST /megalot/auth/forgot-password
GET /mgluser/user_data/basic
GET /mgluser/user_data/credit_info
GET /megalot/auth/session_sync
GET /api/config/maintenance/check
POST /mgluser/change_password
POST /api/order/create
GET /api/order/period
GET /api/order
GET /api/order/list
POST /api/order/:order_id/cancel
POST /api/order/:order_id/confirm
GET /api/order/:order_id
GET /api/order/status/:order_id
GET /api/order/request_id/:request_id
GET /api/bill/listDeletedBills
GET /api/products
GET /api/lotto/listProductPeriod
GET /api/user/product/:product_code/template
GET /api/product/periods
GET /api/product/:product_code/period/:period_code
GET /api/user/product/:product_code/template/:package_code/game_config
GET /api/product/enabled
GET /api/product/available
GET /api/game_config/limit_number/:period_code
GET /api/admin/game_config/all
GET /api/admin/templates
POST /api/award
GET /api/award
GET /api/rewardcalc/award/get_by_product/:product_code
GET /api/rewardcalc/award/list_award/:date_from
POST /api/admin/report/user_win_loss_summary
GET /mgluser/profit/transaction_list
GET /mgluser/profit/transaction_list/:user_id
GET /api/admin/announcement/list/all
GET /api/admin/announcement/:announce_id
GET /api/admin/announcement/list
POST /api/admin/announcement/create
POST /api/admin/announcement/enabled
POST /api/admin/announcement/update
DELETE /api/admin/announcement/delete/:announce_id`
  .trim()
  .split('\n')

const app = await startTestApp()
const [member, agent, company, office] = await Promise.all(
  // The sample of a log-in uses the first member, whose session it ends.
  ['member02', 'agent01', 'company', 'office01'].map((name) => app.logIn(name)),
)
const callers: Record<'member' | 'agent' | 'company' | 'office', TestCaller> = {
  member: member!,
  agent: agent!,
  company: company!,
  office: office!,
}
const period_code = await openPeriod(app.owner)
const subject: CallSubject = {
  ticket: await placeTicket(member!, makeTicket(period_code)),
  user_id: member!.user_id,
  announce_id: await announce(app.owner),
  approval_id: await proposePeriod(app.db, 'office02'),
  rule_id: 1,
  period_code,
  other_period_code: await openPeriod(app.owner, 'lao-pattana'),
}

test('the rows that are specified are those of the specification', () => {
  const rows = routes.filter(({ is_specified }) => is_specified).map(({ method, path }) => `${method} ${path}`)
  expect(rows.toSorted()).toEqual(specified.toSorted())
})

/** A refusal because of the call's form. Refusals because of its content are the same with and without unknown keys. */
async function isMalformed(name: string, unknown: 'query' | 'body' | 'inside'): Promise<boolean> {
  const route = routes.find((one) => one.name === name)!
  const { params, query, body } = sampleCalls[name as RouteName](subject)
  const extended = (value: unknown, isInside: boolean): unknown => {
    if (Array.isArray(value)) return value.map((one) => extended(one, isInside))
    if (typeof value !== 'object' || value === null) return value
    const inside = Object.entries(value).map(([key, one]) => [key, isInside ? extended(one, true) : one])
    return { ...(Object.fromEntries(inside) as object), unknown_key: 'x' }
  }
  const sent = unknown === 'query' ? body : extended(body, unknown === 'inside')
  const isOffice = route.access === 'office' || route.access === 'company'
  const caller = isOffice ? callers.office : route.access === 'console' ? callers.agent : callers.member
  const response = await app.server.inject({
    method: route.method,
    url: urlOf(route, {
      ...(params && { params }),
      query: { ...query, ...(unknown === 'query' && { unknown_key: 'x' }) },
    }),
    headers: route.access === 'anyone' ? {} : { authorization: `Bearer ${caller.sessionToken}` },
    ...(sent === undefined ? {} : { payload: sent as object }),
  })
  const { error } = response.json<{ error?: { code: string; details: { problems?: { rule: string }[] } } }>()
  return error?.code === 'bad_input' && error.details.problems?.[0]?.rule === 'additionalProperties'
}

const named = routes.filter((route) => !route.is_stream && !route.is_file && route.name !== 'getCaptcha')

test.each(named.map(({ name, is_specified = false }) => [name, is_specified] as const))(
  'an unknown key in the query of %s is ignored: %s',
  async (name, isIgnored) => {
    expect(await isMalformed(name, 'query')).toBe(!isIgnored)
  },
)

test.each(named.filter(({ is_specified, body }) => is_specified && body).map(({ name }) => name))(
  'unknown keys in the body of %s are ignored at every depth',
  async (name) => {
    expect(await isMalformed(name, 'inside')).toBe(false)
  },
)
