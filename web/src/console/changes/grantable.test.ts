import { listPermissions, permissionsOfRole } from '@megalot/contract/browser'
import { expect, test } from 'vitest'
import { grantableAreas, grantableRoles } from './grantable.ts'

test('an owner grants every role, and every area', () => {
  const permissions = [...permissionsOfRole.owner]
  expect(grantableRoles(permissions)).toHaveLength(6)
  expect(grantableAreas(permissions)).toHaveLength(13)
})

test('an auditor can grant the areas that it views, and no role that does more', () => {
  const permissions = [...permissionsOfRole.auditor]
  expect(grantableRoles(permissions)).toEqual(['support', 'auditor'])
  expect(grantableAreas(permissions)).toHaveLength(13)
})

test('an assistant of an agent grants its own areas and no role', () => {
  const permissions = [
    ...listPermissions({ is_member: false, office_role: null, assistant_areas: ['people', 'staff', 'results'] }),
  ]
  expect(grantableAreas(permissions)).toEqual(['people', 'staff'])
  expect(grantableRoles(permissions)).toEqual([])
})
