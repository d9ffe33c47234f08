import { expect, test } from 'vitest'
import { navigationOf, permissionsOf } from './navigation.ts'

const namesOf = (user: Parameters<typeof navigationOf>[0]) =>
  navigationOf(user).flatMap(({ screens }) => screens.map(({ name }) => name))

test('an agent sees its line, not the results, the messages and the maintenance of the house', () => {
  expect(namesOf({ level: 'agent', is_office: false })).toEqual([
    'periods',
    'awards',
    'people',
    'bills',
    'tickets',
    'reports',
    'announcements',
    'manual',
  ])
})

test('an office user of the company sees everything', () => {
  expect(namesOf({ level: 'company', is_office: true })).toEqual(
    expect.arrayContaining(['results', 'messages', 'maintenance', 'people']),
  )
})

test('messages are the company’s, results and maintenance the office’s', () => {
  expect(permissionsOf({ level: 'company', is_office: false }).has('messages.do')).toBe(true)
  expect(permissionsOf({ level: 'company', is_office: false }).has('results.do')).toBe(false)
  expect(permissionsOf({ level: 'agent', is_office: true }).has('results.do')).toBe(true)
  expect(permissionsOf({ level: 'agent', is_office: true }).has('messages.do')).toBe(false)
})

test('a member has no permission', () => {
  expect(permissionsOf({ level: 'member', is_office: false }).size).toBe(0)
})
