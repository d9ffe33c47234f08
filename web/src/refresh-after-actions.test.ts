// Goal: the actions below refresh the queries that are listed for them, whether they are carried out or refused; no function that is
// written with `withRefresh` is missing; and the server's news refresh the same.

import type { LiveTopic, Order, PlaceOrderBody, User } from '@megalot/contract'
import type { QueryKey } from '@tanstack/react-query'
import { readFileSync, readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { beforeEach, expect, test, vi } from 'vitest'
import { makeStorage } from './lib/device/testing/memory-storage.ts'

/** What a member or an office user may have on screen, by the name of the page or part; the keys as they were fetched. */
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
/** What was proposed and approved is executed at once: any of this may have changed. */
const ofApproval: readonly Name[] = [
  'what waits for a second person',
  'rates of the office',
  'terms',
  ...limits,
  ...people,
  ...downline,
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

/** The names of what is refreshed by an action; all of it was on screen and fresh before. */
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

/** The modules of the slip keep what has been sent: each test of a ticket loads all modules anew. */
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

const orders = () => import('./shared/tickets/orders/queries.ts')
const oversight = () => import('./console/people/tickets/queries.ts')
const office = () => import('./console/house/messages/queries.ts')
const factors = () => import('./shared/second-factor/queries.ts')
const peopleOfConsole = () => import('./console/people/queries.ts')
const staff = () => import('./console/changes/queries.ts')
const calendar = () => import('./console/day/calendar/queries.ts')
const numbers = () => import('./console/money/limits/queries.ts')
const approvals = () => import('./console/day/approvals/queries.ts')
const today = () => import('./console/day/today/queries.ts')
const award = { period_code: 'lao-1', result: { top3: '123', bottom2: '45' } }
const announcement = {
  type: 'news' as const,
  title_th: 'ก',
  title_en: 'a',
  body_th: 'ก',
  body_en: 'a',
  is_enabled: true,
}

test.each<[string, () => Promise<unknown>, readonly Name[]]>([
  ['confirming a waiting ticket', async () => (await orders()).confirmTicket(9, []), money],
  ['cancelling a ticket', async () => (await orders()).cancelTicket(order), money],
  ['deleting a ticket of the downline', async () => (await oversight()).deleteTicket(9, 'why'), money],
  ['proposing the void of a ticket', async () => (await oversight()).proposeVoid(9, 'why', 'id'), ofApproval],
  ['entering a result', async () => (await oversight()).sendAward('2025-12-16', award), [...marketList, ...awards]],
  [
    'correcting a result',
    async () => (await oversight()).sendCorrection({ ...award, reason: 'why' }),
    [...marketList, ...awards, 'notices', ...money],
  ],
  [
    'changing a share',
    async () => (await oversight()).saveShare(3, { position_rate: 1, commission_rate: 1, reason: 'why' }),
    [...downline, ...people],
  ],
  [
    'beginning maintenance',
    async () =>
      (await office()).saveMaintenance({} as Parameters<Awaited<ReturnType<typeof office>>['saveMaintenance']>[0]),
    ['maintenance', ...marketList],
  ],
  ['writing an announcement', async () => (await office()).saveAnnouncement(null, announcement), announcementLists],
  ['showing an announcement', async () => (await office()).showAnnouncement(1, true), announcementLists],
  ['removing an announcement', async () => (await office()).removeAnnouncement(1), announcementLists],
  [
    'reading an announcement',
    async () => (await import('./shared/announcements/queries.ts')).markRead(1),
    announcementLists,
  ],
  ['adding an authenticator app', async () => (await factors()).addTotp('phone', '123456'), ofFactors],
  ['renaming a factor', async () => (await factors()).renameFactor(1, 'phone'), ofFactors],
  ['removing a factor', async () => (await factors()).removeFactor(1), ofFactors],
  ['making recovery codes', async () => (await factors()).makeRecoveryCodes('password'), ofFactors],
  [
    'ending sessions of staff',
    async () => (await import('./shared/sessions/queries.ts')).endSessionsOf('staff', 1, 'why'),
    ofStaff,
  ],
  [
    'changing areas of an assistant',
    async () => (await staff()).saveAreas(1, { areas: ['people'], reason: 'why' }),
    ofStaff,
  ],
  [
    'suspending an office user',
    async () => (await staff()).saveStaffStatus(1, { own_status: 'SUSPENDED', reason: 'why' }),
    ofStaff,
  ],
  [
    'suspending a user of the line',
    async () =>
      (await peopleOfConsole()).makeChange({ kind: 'status', user_ids: [3], own_status: 'SUSPENDED' }, 'id', 'why'),
    ofPeople,
  ],
  [
    'switching a code off',
    async () => (await peopleOfConsole()).sendCodeSwitch('ABCD', { is_active: false, reason: 'why' }),
    ofPeople,
  ],
  [
    'changing rates',
    async () =>
      (await import('./console/money/rates/queries.ts')).saveTerms(
        { product_code: 'lao', package_code: '70' },
        { max_items: 10, reason: 'why' },
      ),
    ['rates of the office', 'terms', 'audit log'],
  ],
  [
    'setting a limit rule',
    async () =>
      (await numbers()).saveRule(
        {
          target: { period_codes: ['lao-1'] },
          bet_types: ['3top'],
          numbers: ['123'],
          value: { set_to: 'half', full_satang: null, half_satang: null },
        },
        'id',
        'why',
      ),
    limits,
  ],
  ['undoing a limit rule', async () => (await numbers()).undoRule(1, 'id', 'why'), limits],
  [
    'changing a quota',
    async () => (await numbers()).saveQuota({ kind: 'set_quota', payload: {} as never }, 'why'),
    limits,
  ],
  [
    'opening markets with quotas',
    async () => (await import('./console/house/setup/queries.ts')).openWithQuotas({} as never),
    [...limits, ...marketList],
  ],
  [
    'inviting the second owner',
    async () => (await import('./console/house/setup/queries.ts')).makeOwnerLink({} as never),
    ofStaff,
  ],
  [
    'setting a number on the risk board',
    async () => (await import('./console/day/risk/queries.ts')).sendNumber('lao-1', {} as never),
    limits,
  ],
  [
    'proposing',
    async () =>
      (await approvals()).propose({
        kind: 'change_credit_limit',
        payload: { user_id: 1, credit_limit_satang: 1 },
        request_id: 'id',
        reason: 'why',
      }),
    ofApproval,
  ],
  [
    'proposing a share',
    async () => (await oversight()).proposeShare(3, { position_rate: 1, commission_rate: 1, reason: 'why' }),
    ofApproval,
  ],
  [
    'proposing a timetable',
    async () => (await calendar()).proposeTimetable({ product_code: 'lao' } as never, 'why', 'id'),
    ofApproval,
  ],
  ['proposing times of a period', async () => (await today()).proposeTimes({} as never), ofApproval],
  ['asking for the void of a period', async () => (await today()).askForVoid('lao-1', 'why', 'id'), ofApproval],
  [
    'proposing what concerns staff',
    async () => (await staff()).proposeOfStaff({ kind: 'reset_factors', payload: { user_id: 1 } } as never, 'why'),
    ofApproval,
  ],
  [
    'approving a proposal',
    async () => (await approvals()).decide({ approval_id: 1, kind: 'set_quota' }, 'approve', ''),
    ofApproval,
  ],
  [
    'approving the void of a ticket',
    async () => (await approvals()).decide({ approval_id: 1, kind: 'void_order' }, 'approve', ''),
    [...ofApproval, ...money],
  ],
  [
    'putting rejections aside',
    async () => (await approvals()).putRejectionsAside('2026-01-01T00:00:00Z'),
    ['what waits for a second person'],
  ],
  ['closing a period early', async () => (await today()).closeEarly('lao-1', 'why'), marketList],
  ['setting a holiday', async () => (await calendar()).saveHoliday({} as never), marketList],
  ['confirming a draw day', async () => (await calendar()).saveDrawDay({} as never), marketList],
  ['switching a market off', async () => (await calendar()).saveSwitch('lao', false, 'why'), marketList],
  ['changing cancel rules', async () => (await calendar()).saveCancelRules('lao', {} as never), marketList],
  [
    'removing entries of a result',
    async () => (await import('./console/day/results/award-queries.ts')).removeEntries('lao-1', 'why'),
    [...marketList, ...awards],
  ],
  ['making a user', async () => (await peopleOfConsole()).sendNewPerson({} as never), ofPeople],
  ['setting the contact', async () => (await peopleOfConsole()).sendContact({ name: 'Ann' }), ofPeople],
  ['making a code', async () => (await peopleOfConsole()).sendNewCode({}), ofPeople],
  ['hiring an assistant', async () => (await staff()).hireAssistant({} as never), ofStaff],
  [
    'hiring an office user',
    async () => (await staff()).hireOfficeUser({} as never, 'owner', 'why'),
    [...ofStaff, ...ofApproval],
  ],
  ['changing a role', async () => (await staff()).saveRole(1, {} as never), ofStaff],
  ['giving a one-time password', async () => (await staff()).saveOneTimePassword(1, {} as never), ofStaff],
  [
    'requesting a report as a file',
    async () => (await import('./console/money/downline/report-files.ts')).requestFile({}, 'csv'),
    ['files of reports'],
  ],
  [
    'reading notices',
    async () => (await import('./shared/announcements/notices/queries.ts')).markNoticesRead(1),
    ['notices'],
  ],
])('%s', async (_name, act, expected) => {
  expect(new Set(await refreshedBy(act))).toEqual(new Set(expected))
})

/** Their calls need a passkey of the device. */
const triedInJourneys: readonly string[] = ['addPasskey']

test('every function that is written with withRefresh is tried above', () => {
  const folder = fileURLToPath(new URL('.', import.meta.url))
  const sources = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
    .map((name) => readFileSync(`${folder}/${name}`, 'utf8'))
  const names = sources.flatMap((source) => {
    const functions = source.split(/^(?=(?:export )?(?:async )?function )/m).slice(1)
    const nameOf = (one: string): string => /function (\w+)/.exec(one)![1]!
    const ofFile = functions.filter((one) => !one.startsWith('export') && one.includes('withRefresh(')).map(nameOf)
    const callers = ['withRefresh', ...ofFile].map((name) => new RegExp(String.raw`\b${name}\(`))
    return functions
      .filter((one) => one.startsWith('export') && callers.some((caller) => caller.test(one)))
      .map(nameOf)
      .filter((name) => name !== 'withRefresh')
  })
  const own = readFileSync(fileURLToPath(import.meta.url), 'utf8')
  expect(names.length).toBeGreaterThan(40)
  expect(names.filter((name) => !own.includes(`.${name}(`) && !triedInJourneys.includes(name))).toEqual([])
})

test.each(['confirmTicket', 'cancelTicket'] as const)(
  'a refusal of %s: the ticket may be another one',
  async (name) => {
    reply.mockImplementation(refused)
    const queries = await orders()
    const act = () => (name === 'confirmTicket' ? queries.confirmTicket(9, []) : queries.cancelTicket(order))
    expect(await refreshedBy(act)).toEqual(money)
  },
)

test.each<[string, readonly Name[]]>([
  ['ticket_of_other_tab_ended', money],
  ['market_hours_passed', marketList],
  ['period_paid', [...marketList, ...awards, 'notices', ...money]],
  ['session_questioned', ['credit on top']],
])('without a call: %s', async (action, expected) => {
  const { refreshAfter } = await import('./lib/api/query-client.ts')
  const refreshed = await refreshedBy(() => refreshAfter(action as Parameters<typeof refreshAfter>[0]))
  expect(new Set(refreshed)).toEqual(new Set(expected))
})

const everything = Object.keys(shown) as Name[]

test.each<[LiveTopic, readonly Name[]]>([
  ['tickets', money],
  ['results', [...marketList, ...awards, 'notices', ...money]],
  ['packages', [...marketList, 'packages', 'terms']],
  ['markets', marketList],
  ['people', [...people, 'credit on top']],
  ['approvals', ['what waits for a second person']],
  ['user', ['credit on top', 'credit, how it is made up']],
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
