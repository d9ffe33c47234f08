// What a caller may grant: nobody grants what they lack. The server decides; the screen offers no more.

import { areas, officeRoles, permissionsOfRole } from '@megalot/contract'
import type { Area, OfficeRole, Permission } from '@megalot/contract'

export function grantableAreas(permissions: readonly Permission[]): readonly Area[] {
  return areas.filter((area) => permissions.includes(`${area}.view`))
}

export function grantableRoles(permissions: readonly Permission[]): readonly OfficeRole[] {
  return officeRoles.filter((role) => [...permissionsOfRole[role]].every((one) => permissions.includes(one)))
}
