import type { Area, OfficeRole } from '@megalot/contract'
import { useTranslations } from 'use-intl'
import { grantableAreas, grantableRoles } from '../../changes/grantable.ts'
import { useUser } from '../../../lib/user/user-query.ts'
import { Checkbox } from '../../../ui/checkbox.tsx'
import { Grid, Intro, Text } from '../../../ui/layout.tsx'
import { SelectField } from '../../../ui/select-field.tsx'

interface AreaChoicesProps {
  chosen: readonly Area[]
  /** Areas that the user has already: they can stay, and be taken away. */
  kept?: readonly Area[]
  problem?: string | null | undefined
  onChange: (areas: readonly Area[]) => void
}

/** The areas that the caller may give. */
export function AreaChoices({ chosen, kept = [], problem = null, onChange }: AreaChoicesProps) {
  const t = useTranslations('staff')
  const own = grantableAreas(useUser().permissions)
  const offered = [...own, ...kept.filter((area) => !own.includes(area))]
  return (
    <>
      <Grid as="fieldset" name="areas" least={180} gap={[0, 16]}>
        <Text as="legend" pad={0} below={4}>
          {t('form.areas')}
        </Text>
        {offered.map((area) => (
          <Checkbox
            key={area}
            label={t(`area.${area}`)}
            isChecked={chosen.includes(area)}
            onChange={(isChecked) => onChange(isChecked ? [...chosen, area] : chosen.filter((one) => one !== area))}
          />
        ))}
      </Grid>
      {problem !== null && (
        <Text size="compact" tone="bad" role="alert">
          {problem}
        </Text>
      )}
    </>
  )
}

/** The roles that the caller may give, each with its permissions. */
export function RoleChoice({ value, onChange }: { value: OfficeRole; onChange: (role: OfficeRole) => void }) {
  const t = useTranslations('staff')
  const roles = grantableRoles(useUser().permissions)
  return (
    <>
      <SelectField
        label={t('form.role')}
        value={value}
        choices={roles.map((role) => ({ value: role, label: t(`role.${role}`) }))}
        onChange={onChange}
      />
      <Intro>{t(`role_text.${value}`)}</Intro>
    </>
  )
}
