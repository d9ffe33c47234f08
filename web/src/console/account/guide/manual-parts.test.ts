// Goal: the manual has nothing about pages that its reader may not open.

import { listPermissions } from '@megalot/contract/browser'
import { expect, test } from 'vitest'
import { manualPartsOf } from './manual-parts.ts'

const permissionsWith = (office_role: 'owner' | null) => [
  ...listPermissions({ is_member: false, office_role, assistant_areas: null }),
]
const agent = { level: 'agent', is_office: false, permissions: permissionsWith(null) } as const
const owner = { level: 'company', is_office: true, permissions: permissionsWith('owner') } as const

test('an agent reads about its line, and not about what only the office does', () => {
  const names = manualPartsOf(agent).map(({ name }) => name)
  expect(names).toEqual(expect.arrayContaining(['first', 'day', 'open_member', 'credit', 'risk', 'reports']))
  for (const name of ['results', 'numbers', 'terms', 'approvals'] as const) expect(names).not.toContain(name)
})

test('an owner of the office reads everything', () => {
  const names = manualPartsOf(owner).map(({ name }) => name)
  expect(names).toEqual(expect.arrayContaining(['results', 'numbers', 'terms', 'approvals', 'audit']))
})
