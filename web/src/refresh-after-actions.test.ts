// Goal: each action and each topic of the server's news refreshes the queries listed for it here.

import type { LiveTopic, Order, PlaceOrderBody, User } from '@megalot/contract'
import type { QueryKey } from '@tanstack/react-query'
import { beforeEach, expect, test, vi } from 'vitest'
import type { RefreshingAction } from './lib/api/refresh.ts'
import { makeStorage } from './lib/device/testing/memory-storage.ts'

/** Query keys on the screens of members and office users, by the name of the page or part. */
const shown = {
  'credit on top': ['user'],
  'credit, how it is made up': ['credit'],
  markets: ['markets'],
  'periods of a market': ['markets', 'periods', 'lao'],
  'open periods': ['markets', 'open-periods', 'lao'],
  packages: ['packages', 'lao'],
  terms: ['game-config', 'lao', '70'],
  'number states': ['limit-numbers', 'lao-1'],
  bills: ['orders', 'list', {}],
  'deleted bills': ['orders', 'deleted', {}],
  bill: ['orders', 'one', '9'],
  'latest tickets': ['orders', 'period', 'lao-1'],
  'waiting tickets': ['orders', 'waiting'],
  'deleted tickets': ['orders', 'deleted-news'],
  'own limits': ['orders', 'play-limits'],
  'managed tickets': ['orders', 'managed', {}],
  statement: ['statement', {}],
  'win and loss': ['reports', 'periods', {}],
  'win and loss of a period': ['reports', 'period', 'lao-1', {}],
  summary: ['reports', 'summary', {}, 0],
  'newest results': ['reports', 'newest'],
  awards: ['awards', 'product', 'lao'],
  'own wins': ['awards', 'own', 'lao-1'],
  notices: ['notices'],
  'own lists': ['own-lists', 7],
  'saved views': ['saved-views', 'people'],
  announcements: ['announcements'],
  'announcements of the office': ['announcements', 'office'],
  maintenance: ['maintenance'],
  downline: ['downline', 'list', ''],
  'share of a user': ['downline', 'share', 3],
  'second factors': ['factors', 'list'],
  'own session': ['factors', 'session'],
  sessions: ['sessions', 'staff'],
  staff: ['staff'],
  'audit log': ['audit', {}],
  people: ['people', 'list', {}],
  'profile of a user': ['people', 'one', 3],
  'what waits for a second person': ['approvals', 'waiting'],
  'rates of the office': ['terms', 'lao', '70'],
  'limit rules': ['limit-rules', 'rules'],
  'risk board': ['risk', 'quotas'],
  timetables: ['markets', 'timetables'],
  'the day': ['markets', 'day', 'today'],
  'entries of a result': ['awards', 'entries', 'lao-1'],
  'files of reports': ['report-files'],
  signals: ['signals', 'list', 7],
  'week sheet': ['money', 'sheet'],
  'statement on paper': ['print', 'statement', {}],
} as const satisfies Record<string, QueryKey>
type Name = keyof typeof shown

const money: readonly Name[] = [
  'credit on top',
  'credit, how it is made up',
  'bills',
  'deleted bills',
  'bill',
  'latest tickets',
  'waiting tickets',
  'deleted tickets',
  'own limits',
  'managed tickets',
  'statement',
  'win and loss',
  'win and loss of a period',
  'summary',
  'newest results',
]
const marketList: readonly Name[] = ['markets', 'periods of a market', 'open periods', 'timetables', 'the day']
const announcementLists: readonly Name[] = ['announcements', 'announcements of the office']
const downline: readonly Name[] = ['downline', 'share of a user']
const people: readonly Name[] = ['people', 'profile of a user']
const ownCredit: readonly Name[] = ['credit on top', 'credit, how it is made up']
const ofPeople: readonly Name[] = [...people, ...downline, ...ownCredit, 'sessions', 'audit log']
const awards: readonly Name[] = ['awards', 'own wins', 'entries of a result']

const limits: readonly Name[] = ['limit rules', 'number states', 'risk board', 'audit log']
/** An approved proposal is carried out at once. */
const ofApproval: readonly Name[] = [
  'what waits for a second person',
  'rates of the office',
  'terms',
  ...limits,
  ...people,
  ...downline,
  'week sheet',
  'staff',
  'sessions',
  ...marketList,
  ...ownCredit,
]

const ofStaff: readonly Name[] = ['sessions', 'staff', 'audit log']
const ofFactors: readonly Name[] = ['second factors', 'own session', 'audit log']

const order = { order_id: 9, items: [], steps: [] } as unknown as Order
const body: PlaceOrderBody = {
  request_id: '00000000-0000-4000-8000-000000000001',
  period_code: 'lao-1',
  package_code: '70',
  items: [{ bet_type: '2top', number: '12', bet_satang: 5000, rate: 7000 }],
}

const reply = vi.fn<() => Response>()
const taken = (data: unknown = order): Response => Response.json({ status: { code: 200, message: 'OK' }, data })
const refused = (): Response =>
  Response.json({ status: { code: 409, message: 'no' }, error: { code: 'rate_changed', details: {} } }, { status: 409 })
const absent = (): Response =>
  Response.json({ status: { code: 404, message: 'no' }, error: { code: 'not_found', details: {} } }, { status: 404 })

/** Names the queries that an action marks as stale. All were fresh before. */
async function refreshedBy(act: () => Promise<unknown>): Promise<readonly Name[]> {
  const { queryClient } = await import('./lib/api/query-client.ts')
  queryClient.clear()
  for (const key of Object.values(shown)) queryClient.setQueryData(key, [])
  await act().catch(() => {})
  const names = Object.keys(shown) as Name[]
  return names.filter((name) => queryClient.getQueryState(shown[name])?.isInvalidated)
}

beforeEach(async () => {
  const localStorage = makeStorage()
  vi.stubGlobal('localStorage', localStorage)
  vi.stubGlobal('sessionStorage', makeStorage())
  vi.stubGlobal('window', Object.assign(new EventTarget(), { localStorage }))
  vi.stubGlobal('fetch', async () => reply())
  reply.mockReset().mockImplementation(taken)
  await logIn()
})

async function logIn(): Promise<void> {
  const { useSession } = await import('./lib/session/session-store.ts')
  useSession.setState({ session_token: 's', user: { user_id: 7 } as User })
}

/** Loads all modules again, because those of the slip keep sent tickets. */
async function loadAnew(): Promise<void> {
  vi.resetModules()
  await logIn()
}

async function sendSlip(): Promise<void> {
  const { slipStoreOf } = await import('./member/bet/slip/slip-store.ts')
  const sending = await import('./member/bet/submit/sending.ts')
  const key = { user_id: 7, product_code: 'lao', period_code: 'lao-1' }
  await sending.sendSlip(slipStoreOf(key), key, body)
}

test('a placed ticket', async () => {
  await loadAnew()
  expect(await refreshedBy(sendSlip)).toEqual(money)
})

test('a refused ticket: its terms may have changed, and its numbers may have been closed', async () => {
  await loadAnew()
  reply.mockImplementation(refused)
  const expected: readonly Name[] = [...money, ...marketList, 'terms', 'number states']
  expect(new Set(await refreshedBy(sendSlip))).toEqual(new Set(expected))
})

test('a ticket that the server does not have', async () => {
  await loadAnew()
  reply.mockImplementation(absent)
  const resume = async (): Promise<void> => {
    const { resumeTicket } = await import('./member/bet/submit/sending.ts')
    vi.useFakeTimers()
    const ticket = { user_id: 7, product_code: 'lao', tab: 't', sent_ms: 0, last_sent_ms: 0, body, rows_text: '' }
    const found = resumeTicket(ticket)
    await vi.runAllTimersAsync()
    await found
    vi.useRealTimers()
  }
  expect(await refreshedBy(resume)).toEqual(money)
})

const byAction: Readonly<Record<RefreshingAction, readonly Name[]>> = {
  ticket_placed: money,
  ticket_refused: [...money, ...marketList, 'terms', 'number states'],
  ticket_absent: money,
  ticket_of_other_tab_ended: money,
  ticket_decided: money,
  ticket_removed: money,
  award_entered: [...marketList, ...awards],
  period_paid: [...marketList, ...awards, 'notices', 'week sheet', ...money],
  award_corrected: [...marketList, ...awards, 'notices', 'week sheet', ...money],
  share_changed: [...downline, ...people],
  people_changed: ofPeople,
  approval_decided: ofApproval,
  payment_disputed: ['week sheet'],
  money_changed: ['week sheet', ...people, 'audit log'],
  report_file_requested: ['files of reports'],
  terms_changed: ['rates of the office', 'terms', 'audit log'],
  limits_changed: limits,
  markets_opened: [...limits, ...marketList],
  maintenance_changed: ['maintenance', ...marketList],
  announcement_changed: announcementLists,
  announcement_read: announcementLists,
  notices_read: ['notices'],
  own_lists_changed: ['own lists'],
  saved_views_changed: ['saved views', 'audit log'],
  rejections_read: ['what waits for a second person'],
  factors_changed: ofFactors,
  sessions_ended: ofStaff,
  staff_changed: ofStaff,
  market_hours_passed: marketList,
  session_questioned: ['credit on top'],
}

test.each(Object.entries(byAction))('%s', async (action, expected) => {
  const { refreshAfter } = await import('./lib/api/query-client.ts')
  const refreshed = await refreshedBy(() => refreshAfter(action as RefreshingAction))
  expect(new Set(refreshed)).toEqual(new Set(expected))
})

const everything = Object.keys(shown) as Name[]

test.each<[LiveTopic, readonly Name[]]>([
  ['tickets', money],
  ['results', [...marketList, ...awards, 'notices', 'week sheet', ...money]],
  ['packages', [...marketList, 'packages', 'terms']],
  ['markets', marketList],
  ['people', [...people, 'credit on top']],
  ['approvals', ['what waits for a second person']],
  ['user', ['credit on top', 'credit, how it is made up', 'week sheet']],
  ['numbers', ['number states']],
  ['announcements', announcementLists],
  ['everything', everything],
])('news of %s', async (topic, expected) => {
  const { keysOfNews } = await import('./lib/live/live-news.ts')
  const { invalidate } = await import('./lib/api/query-client.ts')
  const refresh = async (): Promise<void> => {
    const { own, shared } = keysOfNews({ topics: [topic], numbers: [] })
    await Promise.all([...own, ...shared].map(invalidate))
  }
  expect(new Set(await refreshedBy(refresh))).toEqual(new Set(expected))
})
