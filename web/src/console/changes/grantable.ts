// Permissions a caller may grant: at most its own. The server decides; the screen offers no more.

import type { Area, OfficeRole, Permission } from '@megalot/contract'
import { areas, officeRoles, permissionsOfRole } from '@megalot/contract/browser'

export function grantableAreas(permissions: readonly Permission[]): readonly Area[] {
  return areas.filter((area) => permissions.includes(`${area}.view`))
}

export function grantableRoles(permissions: readonly Permission[]): readonly OfficeRole[] {
  // `none` is what everybody begins with: it is not granted.
  return officeRoles.filter(
    (role) => role !== 'none' && [...permissionsOfRole[role]].every((one) => permissions.includes(one)),
  )
}
