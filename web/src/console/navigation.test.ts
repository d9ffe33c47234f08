import { areas, listPermissions, permissionsOfRole } from '@megalot/contract'
import type { User } from '@megalot/contract'
import { expect, test } from 'vitest'
import { findScreen, mayOpen, navigationOf, permissionsOf } from './navigation.ts'
import { consolePaths } from './paths.ts'

const namesOf = (level: User['level'], permissions: Iterable<User['permissions'][number]>) =>
  navigationOf({ level, is_office: level === 'company', permissions: [...permissions] }).flatMap(({ screens }) =>
    screens.map(({ name }) => name),
  )
const ofAgent = listPermissions({ is_member: false, office_role: null, assistant_areas: null })
const ofAccount = ['security', 'sessions', 'own_data', 'operators_manual', 'manual']
const forEverybody = ['periods', 'awards', 'announcements', ...ofAccount]

test('an agent sees its line, not the results, the messages and the maintenance of the house', () => {
  expect(namesOf('agent', ofAgent)).toEqual([
    'today',
    'periods',
    'calendar',
    'risk',
    'signals',
    'awards',
    'people',
    'codes',
    'bills',
    'tickets',
    'downline',
    'reports',
    'announcements',
    'staff',
    'audit',
    ...ofAccount,
  ])
})

test('an owner sees everything', () => {
  expect(namesOf('company', permissionsOfRole.owner)).toEqual(
    expect.arrayContaining([
      'risk',
      'approvals',
      'numbers',
      'terms',
      'results',
      'messages',
      'maintenance',
      'people',
      'reports',
      'tickets',
      'staff',
      'audit',
    ]),
  )
})

test('support sees people and tickets, and nothing of money or results', () => {
  const names = namesOf('company', permissionsOfRole.support)
  expect(names).toEqual(expect.arrayContaining(['people', 'bills', 'tickets']))
  for (const name of ['reports', 'results', 'messages', 'maintenance', 'staff', 'audit'])
    expect(names).not.toContain(name)
})

test('who has no permission sees what is for everybody', () => {
  expect(namesOf('company', [])).toEqual(forEverybody)
})

test('approvals, terms and numbers are the office’s, whoever else has their areas', () => {
  const names = namesOf(
    'agent',
    areas.flatMap((area) => [`${area}.view`, `${area}.do`] as const),
  )
  for (const name of ['approvals', 'terms', 'numbers']) expect(names).not.toContain(name)
})

test('messages are the company’s, whoever else has their area', () => {
  const permissions = areas.map((area) => `${area}.do` as const)
  expect(permissionsOf({ level: 'agent', permissions }).has('messages.do')).toBe(false)
  expect(permissionsOf({ level: 'company', permissions }).has('messages.do')).toBe(true)
})

test.each([
  [consolePaths.person.replace('$user_id', '7'), 'people.view'],
  [consolePaths.newPerson, 'people.view'],
  [consolePaths.agentCodes, 'people.view'],
  [consolePaths.today, 'risk.view'],
  [consolePaths.calendar, 'periods.view'],
  [consolePaths.risk, 'risk.view'],
  [consolePaths.deletedBills, 'tickets.view'],
  [consolePaths.bill.replace('$order_id', '7'), 'tickets.view'],
  [consolePaths.tickets, 'tickets.view'],
  [consolePaths.summary, 'reports.view'],
  [consolePaths.winLoss.replace('$period_code', 'x'), 'reports.view'],
  [consolePaths.downline, 'reports.view'],
  [consolePaths.results, 'results.do'],
  [consolePaths.messages, 'messages.do'],
  [consolePaths.maintenance, 'maintenance.do'],
  [consolePaths.staff, 'staff.view'],
  [consolePaths.audit, 'audit.view'],
] as const)('%s needs %s', (path, permission) => {
  const user = { level: 'company' as const, is_office: false, permissions: [] }
  expect(mayOpen(user, path)).toBe(false)
  expect(mayOpen({ ...user, permissions: [permission] }, path)).toBe(true)
})

test.each([
  [consolePaths.approvals, 'staff.view'],
  [consolePaths.terms, 'terms.view'],
  [consolePaths.numbers, 'risk.view'],
  [consolePaths.standingNumbers, 'risk.view'],
  [consolePaths.limitRules, 'risk.view'],
  [consolePaths.quotas, 'risk.view'],
] as const)('%s needs %s, and is the office’s', (path, permission) => {
  const user = { level: 'company' as const, permissions: [permission] }
  expect(mayOpen({ ...user, is_office: true }, path)).toBe(true)
  expect(mayOpen({ ...user, is_office: false }, path)).toBe(false)
  expect(mayOpen({ ...user, is_office: true, permissions: [] }, path)).toBe(false)
})

test.each(['periods', 'market', 'awards', 'statistics', 'announcements', 'security', 'refused', 'guide'] as const)(
  'the page %s is for everybody',
  (name) => {
    expect(mayOpen({ level: 'agent', is_office: false, permissions: [] }, consolePaths[name])).toBe(true)
  },
)

// Defect: a page that somebody adds without a screen is open to everybody.
test.each(['/no-such-page', '/markets-of-others', '/accounting', '/print/no-such-page', '/print/account'])(
  'the page %s, which belongs to nothing, is open to nobody',
  (pathname) => {
    const user = { level: 'company' as const, is_office: true, permissions: [...permissionsOfRole.owner] }
    expect(mayOpen(user, pathname)).toBe(false)
  },
)

test.each([
  ['/print/bills/7', 'tickets.view'],
  ['/print/reports/balance', 'reports.view'],
  ['/print/downline', 'reports.view'],
] as const)('%s needs %s, as the page that it is printed from', (pathname, permission) => {
  const user = { level: 'company' as const, is_office: true, permissions: [] }
  expect(mayOpen(user, pathname)).toBe(false)
  expect(mayOpen({ ...user, permissions: [permission] }, pathname)).toBe(true)
  expect(mayOpen(user, consolePaths.print)).toBe(true)
})

test('every address of the console belongs to something', () => {
  const user = { level: 'company' as const, is_office: true, permissions: [...permissionsOfRole.owner] }
  const outside: readonly string[] = [consolePaths.markets, consolePaths.members, consolePaths.setup]
  const pages = Object.values(consolePaths).filter((path) => !outside.includes(path))
  expect(pages.filter((path) => !mayOpen(user, path))).toEqual([])
})

test.each([
  ['/', 'periods'],
  ['/people', 'people'],
  ['/people/12', 'people'],
  ['/people/codes', 'codes'],
  ['/bills/deleted', 'bills'],
  ['/account/password', undefined],
])('%s belongs to one page of the menu', (pathname, name) => {
  expect(findScreen(pathname)?.name).toBe(name)
})
