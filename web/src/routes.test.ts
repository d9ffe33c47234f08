// Which pages the two applications have, whom each lets in, and what each reads of its address. The snapshots in `routes/`
// hold the answers: a difference shows which page changed for whom. `npx vitest run web/src/routes.test.ts --update`
// rewrites them.

import { pagePatterns, type Permission, type User } from '@megalot/contract'
import { CONSOLE_BASE, permissions } from '@megalot/contract/browser'
import { isRedirect, type AnyRoute, type AnyRouter } from '@tanstack/react-router'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { makeStorage } from './lib/device/testing/memory-storage.ts'
import { parseSearch } from './lib/search/parse-search.ts'

let routers: Readonly<Record<'member' | 'console', AnyRouter>>
let setUser: (user: Partial<User> | null) => void
let leaveFor: (href: string) => void

// The routers follow the stores of the session: the other tests in this process get stores of their own.
beforeAll(async () => {
  vi.resetModules()
  vi.stubGlobal('localStorage', makeStorage())
  vi.stubGlobal('window', { location: { replace: (href: string) => leaveFor(href) } })
  const [{ router }, { consoleRouter }, { useSession }] = await Promise.all([
    import('./member/router.tsx'),
    import('./console/router.tsx'),
    import('./lib/session/session-store.ts'),
  ])
  routers = { member: router, console: consoleRouter }
  setUser = (user) => useSession.setState({ session_token: 'token', user: user as User | null })
})
afterAll(() => {
  vi.unstubAllGlobals()
  vi.resetModules()
})

const applications = ['member', 'console'] as const

function pagesOf(application: (typeof applications)[number]): readonly AnyRoute[] {
  return Object.values(routers[application].routesById as Record<string, AnyRoute>)
    .filter(({ children, id }) => !children && id !== undefined)
    .toSorted((one, other) => (one.fullPath < other.fullPath ? -1 : 1))
}

/** @returns where the guards of a page lead: to the page itself, to another one, or out of the application */
async function visit(application: (typeof applications)[number], page: AnyRoute): Promise<string> {
  const pathname = page.fullPath.replaceAll(/\$\w+/g, '7').replace('$', 'nowhere')
  const location = { pathname, href: pathname, publicHref: pathname, searchStr: '' }
  const out = new Promise<string>((resolve) => (leaveFor = (href) => resolve(`out to ${href}`)))
  const matches = routers[application].matchRoutes(pathname, {})
  for (const { routeId, params } of matches) {
    const { beforeLoad } = routers[application].routesById[routeId]!.options
    const guarded = (async () => beforeLoad?.({ location, matches, params, search: {} }))().then(
      () => undefined,
      (error: unknown) => {
        if (!isRedirect(error)) throw error
        return String(error.options.to ?? error.options.href)
      },
    )
    const led = await Promise.race([guarded, out])
    if (led !== undefined) return led
  }
  return 'open'
}

test('the contract names every page that measures its vitals', () => {
  const bases = { member: '', console: CONSOLE_BASE }
  const patterns = applications.flatMap((application) =>
    pagesOf(application)
      .filter(({ options }) => options.component)
      .map(({ fullPath }) => bases[application] + fullPath),
  )
  expect(pagePatterns.toSorted()).toEqual(patterns.toSorted())
})

test('who opens which page', { timeout: 60_000 }, async () => {
  const lines: string[] = []
  for (const application of applications) {
    for (const page of pagesOf(application)) {
      const opens = async (user: Partial<User>): Promise<string> => {
        setUser(user)
        return visit(application, page)
      }
      const member = await opens({ level: 'member', is_office: false, permissions: [] })
      const operator = await opens({ level: 'company', is_office: true, permissions: [] })
      lines.push(
        `${application} ${page.fullPath}`,
        `  a member: ${member}; an operator without permissions: ${operator}`,
      )
      if (application === 'member' || operator === 'open') continue
      const permissionsThatOpen = async (kind: Partial<User>): Promise<string> => {
        const found: Permission[] = []
        for (const permission of permissions)
          if ((await opens({ ...kind, permissions: [permission] })) === 'open') found.push(permission)
        return found.join(' ') || '–'
      }
      lines.push(
        `  the office with one of: ${await permissionsThatOpen({ level: 'company', is_office: true })}`,
        `  an agent with one of: ${await permissionsThatOpen({ level: 'agent', is_office: false })}`,
      )
    }
  }
  await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot('routes/access.txt')
})

/** For each parameter that any page reads: what makes sense somewhere, and what does nowhere. */
const values = [
  ...[
    '',
    '7',
    '0',
    '-1',
    '1.5',
    '1e400',
    '007',
    '12E4',
    'true',
    'false',
    'null',
    '[1]',
    '{"a":1}',
    '"7"',
    '%00',
    'x',
    'office01',
  ],
  ...[
    'a b',
    ' member01 ',
    'ab.cd',
    '__proto__',
    '<b>',
    '%E0%B8%81',
    'a,b',
    'a,,b',
    'close_at.desc',
    'a.b.asc',
    'market,close_at',
  ],
  ...[
    '2026-11-01',
    '2026-02-30',
    '2026-13',
    '2026-01',
    '2026-11-01T08:30',
    '10.5',
    '0.005',
    '127.0.0.1',
    '::1',
    'user:12',
  ],
  ...[
    'lao-vip/70',
    'lao',
    'lao-vip',
    'Lao',
    '2top',
    '3roll',
    '4top',
    'tree',
    'member',
    'king',
    'NORMAL',
    'CONFIRMED',
    'latest',
  ],
  ...[
    'decided',
    'now',
    'done',
    'table',
    'list',
    'results',
    'quota',
    'number',
    'own',
    'off',
    'on',
    'staff',
    'downline',
    'assistant',
  ],
  ...[
    'summary',
    'terms',
    'win_only',
    'user',
    'winners',
    '12.agent01,m45.member01',
    '12.agent01,,',
    '50',
    '100',
    '%2Fbills',
  ],
  ...['%2F%2Fevil.example', 'late_stakes', 'change_status', 'x'.repeat(201), '1'.repeat(20)],
]
const names = [
  ...[
    'sort',
    'columns',
    'search',
    'username',
    'user',
    'user_id',
    'actor',
    'principal',
    'subject_user',
    'subject',
    'action',
    'row',
  ],
  ...[
    'date',
    'date_from',
    'date_to',
    'month',
    'placed_from',
    'placed_to',
    'bet_from',
    'bet_to',
    'address',
    'live',
    'state',
    'status',
  ],
  ...[
    'product_code',
    'period_code',
    'market',
    'period',
    'package',
    'bet_type',
    'by',
    'view',
    'show',
    'all',
    'part',
    'form',
    'open',
  ],
  ...[
    'level',
    'is_online',
    'agent_code',
    'code',
    'tab',
    'list',
    'rule_id',
    'scope',
    'add',
    'kind',
    'filter',
    'group_by',
    'report',
  ],
  ...['path', 'draws', 'back', 'other'],
]
const together = [
  'product_code=lao-vip&period_code=lao-1',
  'market=lao-vip&period=lao-1',
  'date_from=2026-11-02&date_to=2026-11-01',
  'date_from=2026-11-01&date_to=2026-11-02',
  'user_id=7&username=member01',
  'user_id=x&username=member01',
]

const parsed = (address: string): Record<string, unknown> => parseSearch(`?${address}`)

test('what each page takes of its search', { timeout: 60_000 }, async () => {
  const alone = names.map((name) => [name, values.map((value) => parsed(`${name}=${value}`))] as const)
  const lines: string[] = []
  for (const application of applications) {
    for (const page of pagesOf(application)) {
      const { validateSearch } = page.options
      if (typeof validateSearch !== 'function') continue
      const read = (raw: object): Record<string, unknown> => ({
        ...raw,
        ...(validateSearch as (raw: object) => object)(raw),
      })
      const found = alone.flatMap(([name, raws]) => {
        const taken = raws.flatMap((raw) => read(raw)[name] ?? []).map((value) => JSON.stringify(value))
        return taken.length === 0 ? [] : [`  ${name}: ${taken.join(' ')}`]
      })
      const ofSeveral = together.map((address) => `  ${address}: ${JSON.stringify(read(parsed(address)))}`)
      found.push(...ofSeveral.filter((line) => !line.endsWith('{}')))
      if (found.length > 0) lines.push(`${application} ${page.fullPath}`, ...found)
    }
  }
  await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot('routes/search.txt')
})
