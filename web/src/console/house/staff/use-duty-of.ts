import type { StaffUser } from '@megalot/contract'
import { useTranslations } from 'use-intl'

/** Role or areas of a user in words. */
export function useDutyOf(): (staff: Pick<StaffUser, 'office_role' | 'areas'>) => string {
  const t = useTranslations('staff')
  return ({ office_role, areas }) =>
    office_role === null ? (areas ?? []).map((area) => t(`area.${area}`)).join(', ') : t(`role.${office_role}`)
}
