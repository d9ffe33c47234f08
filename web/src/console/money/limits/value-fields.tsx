import { useTranslations } from 'use-intl'
import { Card, Grid } from '../../../ui/layout.tsx'
import { SegmentedControl } from '../../../ui/segmented-control.tsx'
import { TextInput } from '../../../ui/text-input.tsx'
import type { DraftFieldsProps } from './number-fields.tsx'
import classes from './numbers.module.css'

const settings = ['half', 'closed', 'amount', 'open'] as const

/** The state or amount that the numbers are set to. */
export function ValueFields({ draft, problems, onChange }: DraftFieldsProps) {
  const t = useTranslations('numbers')
  return (
    <Card gap={8} pad={[12, 14, 14]}>
      <p className={classes.legend} aria-hidden="true">
        {t('set_to')}
      </p>
      <SegmentedControl
        fill
        label={t('set_to')}
        value={draft.set_to}
        choices={settings.map((value) => ({ value, label: t(`value.${value}`) }))}
        onChange={(set_to) => onChange({ set_to })}
      />
      <p className={classes.dim}>{t(`value_hint.${draft.set_to}`)}</p>
      {draft.set_to === 'amount' && (
        <Grid least={180} fit gap={12} align="end">
          {(['full_baht', 'half_baht'] as const).map((name) => (
            <TextInput
              key={name}
              name={name}
              label={t(name)}
              inputMode="numeric"
              autoComplete="off"
              maxLength={9}
              value={draft[name]}
              onChange={(event) => onChange({ [name]: event.currentTarget.value })}
              error={problems[name]}
            />
          ))}
        </Grid>
      )}
    </Card>
  )
}
