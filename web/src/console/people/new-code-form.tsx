import { REGISTRATIONS_PER_DAY } from '@megalot/contract/browser'
import { useTranslations } from 'use-intl'
import { showToast } from '../../lib/feedback/toast.ts'
import { useChange } from '../../lib/api/use-change.ts'
import { useForm } from '../../lib/forms/use-form.ts'
import { useUser } from '../../lib/user/user-query.ts'
import { Alert } from '../../ui/alert.tsx'
import { Button } from '../../ui/button.tsx'
import { Checkbox } from '../../ui/checkbox.tsx'
import { Stack } from '../../ui/layout.tsx'
import { TextInput } from '../../ui/text-input.tsx'
import { permissionsOf } from '../menu.ts'
import { readBaht, readRegistrations } from './amounts.ts'
import { PackagePicker } from '../money/rates/package-picker.tsx'
import { packageKeyOf } from '../money/rates/queries.ts'
import classes from './people.module.css'
import { sendNewCode } from './queries.ts'
import { usePackageChoices } from '../money/rates/use-package-choices.ts'

const noPackages: ReadonlySet<string> = new Set()

/** A code with which people register: what they get with it. */
export function NewCodeForm({ onDone }: { onDone: () => void }) {
  const t = useTranslations('people.codes')
  const mayGiveCredit = permissionsOf(useUser()).has('credit.do')
  const choices = usePackageChoices() ?? []
  const { isBusy, failure, run } = useChange(sendNewCode)
  const fields = useForm({
    initial: {
      opening_credit: '0',
      per_day: String(REGISTRATIONS_PER_DAY.default),
      isEmailOptional: false,
      hasAll: true,
      packages: noPackages,
    },
    check: ({ opening_credit, per_day, hasAll, packages }) => ({
      opening_credit: readBaht(opening_credit) === null ? t('problem.amount') : null,
      per_day: readRegistrations(per_day) === null ? t('problem.per_day', { max: REGISTRATIONS_PER_DAY.max }) : null,
      packages: !hasAll && packages.size === 0 ? t('problem.packages') : null,
    }),
    send: async ({ opening_credit, per_day, isEmailOptional, hasAll, packages }) => {
      const made = await run({
        ...(hasAll
          ? {}
          : {
              packages: choices
                .filter((one) => packages.has(packageKeyOf(one)))
                .map(({ product_code, package_code }) => ({ product_code, package_code })),
            }),
        ...(mayGiveCredit ? { opening_credit_satang: readBaht(opening_credit)! } : {}),
        registrations_per_day: readRegistrations(per_day)!,
        is_email_optional: isEmailOptional,
      })
      if (made === null) return
      showToast('good', t('made', { code: made.result.code }))
      onDone()
    },
  })
  const { hasAll, packages } = fields.values
  const lacksPackages = fields.problems.packages ?? null
  return (
    <Stack noValidate as="form" gap={12} onSubmit={fields.submit}>
      {mayGiveCredit && (
        <TextInput
          {...fields.propsOf('opening_credit')}
          label={t('opening_credit')}
          description={t('opening_credit_hint')}
          inputMode="decimal"
          autoComplete="off"
          maxLength={16}
        />
      )}
      <TextInput
        {...fields.propsOf('per_day')}
        label={t('per_day')}
        description={t('per_day_hint')}
        inputMode="numeric"
        autoComplete="off"
        maxLength={6}
      />
      <Checkbox label={t('without_email')} {...fields.propsOf('isEmailOptional')} />
      <Checkbox label={t('give_all')} {...fields.propsOf('hasAll')} />
      {!hasAll && (
        <PackagePicker
          name="packages"
          label={t('packages')}
          choices={choices}
          chosen={packages}
          onChoose={(next) => fields.change({ packages: next })}
        />
      )}
      {lacksPackages !== null && <p className={classes.refused}>{lacksPackages}</p>}
      {failure !== null && <Alert kind="bad">{failure}</Alert>}
      <Button type="submit" isBusy={isBusy}>
        {t('make')}
      </Button>
    </Stack>
  )
}
