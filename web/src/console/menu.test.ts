import type { User } from '@megalot/contract'
import { areas, listPermissions, permissionsOfRole } from '@megalot/contract/browser'
import { expect, test } from 'vitest'
import { findScreen, mayOpen, navigationOf, permissionsOf } from './menu.ts'

const namesOf = (level: User['level'], permissions: Iterable<User['permissions'][number]>) =>
  navigationOf({ level, is_office: level === 'company', permissions: [...permissions] }).flatMap(({ screens }) =>
    screens.map(({ name }) => name),
  )
const ofAgent = listPermissions({ is_member: false, office_role: null, assistant_areas: null })
const ofAccount = ['security', 'sessions', 'own_data', 'operators_manual']
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
    'tickets',
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
  expect(names).toEqual(expect.arrayContaining(['people', 'tickets']))
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

test('a page of visitors or of members is none of the console, whatever it permits', () => {
  const user = { level: 'company' as const, is_office: true, permissions: [...permissionsOfRole.owner] }
  expect(mayOpen(user, { needs: 'visitor' })).toBe(false)
  expect(mayOpen(user, { needs: 'member' })).toBe(false)
  expect(mayOpen(user, { needs: 'everyone' })).toBe(true)
})

test.each([
  ['/', 'periods'],
  ['/people', 'people'],
  ['/people/12', 'people'],
  ['/people/codes', 'codes'],
  ['/bills/12', 'tickets'],
  ['/reports/balance', 'reports'],
  ['/manual/import', 'operators_manual'],
  ['/account/password', undefined],
])('%s belongs to one page of the menu', (pathname, name) => {
  expect(findScreen(pathname)?.name).toBe(name)
})
