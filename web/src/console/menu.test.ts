import type { User } from '@megalot/contract'
import { areas, listPermissions, permissionsOfRole } from '@megalot/contract/browser'
import { expect, test } from 'vitest'
import { findScreen, landingOf, mayOpen, navigationOf, permissionsOf, screenGroups } from './menu.ts'

const menuOf = (level: User['level'], permissions: Iterable<User['permissions'][number]>) =>
  navigationOf({ level, is_office: level === 'company', permissions: [...permissions] }).flatMap(
    ({ screens }) => screens,
  )
const namesOf = (...user: Parameters<typeof menuOf>) => menuOf(...user).map(({ name }) => name)
const pagesOf = (...user: Parameters<typeof menuOf>) =>
  menuOf(...user).flatMap(({ tabs }) => tabs.map(({ name }) => name))
const ofAgent = listPermissions({ is_member: false, office_role: null, assistant_areas: null })
const ofAccount = ['security', 'sessions', 'password', 'own_data', 'guide']

test('an agent sees its line, not the results, the messages and the maintenance of the house', () => {
  expect(namesOf('agent', ofAgent)).toEqual([
    'home',
    'today',
    'risk',
    'signals',
    'people',
    'tickets',
    'money',
    'clearings',
    'cash',
    'reports',
    'announcements',
    'staff',
    'system',
    'account',
  ])
  const pages = pagesOf('agent', ofAgent)
  expect(pages).toEqual(expect.arrayContaining(['today', 'periods', 'calendar', 'awards', 'codes', 'audit']))
  for (const name of ['messages', 'maintenance', 'readiness']) expect(pages).not.toContain(name)
})

test('an owner sees everything, in about fifteen entries', () => {
  expect(namesOf('company', permissionsOfRole.owner)).toEqual(
    screenGroups.flatMap(({ screens }) => screens.map(({ name }) => name)),
  )
  expect(namesOf('company', permissionsOfRole.owner).length).toBeLessThanOrEqual(19)
})

test('support sees people and tickets, and nothing of money or results', () => {
  const names = pagesOf('company', permissionsOfRole.support)
  expect(names).toEqual(expect.arrayContaining(['people', 'tickets']))
  for (const name of ['downline', 'results', 'messages', 'maintenance', 'staff', 'audit'])
    expect(names).not.toContain(name)
})

test('who has no permission sees what is for everybody', () => {
  expect(pagesOf('company', [])).toEqual(['periods', 'awards', 'announcements', ...ofAccount])
})

test('the office lands on today, or on the periods where it may not open today', () => {
  const office = { level: 'company' as const, is_office: true }
  expect(landingOf({ ...office, permissions: [...permissionsOfRole.owner] })).toBe('/today')
  expect(landingOf({ ...office, permissions: [...permissionsOfRole.support] })).toBe('/periods')
})

test('an agent lands at its money, or on the periods where it may not view money', () => {
  const agent = { level: 'agent' as const, is_office: false }
  expect(landingOf({ ...agent, permissions: [...ofAgent] })).toBe('/home')
  expect(landingOf({ ...agent, permissions: ['people.view'] })).toBe('/periods')
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
  ['/periods', 'today', 'periods'],
  ['/markets/lao', 'today', 'periods'],
  ['/people', 'people', 'people'],
  ['/people/12', 'people', 'people'],
  ['/people/codes', 'people', 'codes'],
  ['/money', 'money', 'money'],
  ['/home', 'home', 'home'],
  ['/bills/12', 'tickets', 'tickets'],
  ['/reports/balance', 'reports', 'statement'],
  ['/manual/import', 'account', 'guide'],
  ['/account/password', 'account', 'password'],
  ['/elsewhere', undefined, undefined],
])('%s belongs to one entry of the menu and one of its pages', (pathname, screen, tab) => {
  const found = findScreen(pathname)
  expect([found?.screen.name, found?.tab.name]).toEqual([screen, tab])
})
