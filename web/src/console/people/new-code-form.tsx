import { REGISTRATIONS_PER_DAY } from '@megalot/contract/browser'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { showToast } from '../../lib/feedback/toast.ts'
import { useChange } from '../../lib/api/use-change.ts'
import { useFields } from '../../lib/forms/use-fields.ts'
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

/** A code with which people register: what they get with it. */
export function NewCodeForm({ onDone }: { onDone: () => void }) {
  const t = useTranslations('people.codes')
  const mayGiveCredit = permissionsOf(useUser()).has('credit.do')
  const choices = usePackageChoices() ?? []
  const [hasAll, setHasAll] = useState(true)
  const [isEmailOptional, setIsEmailOptional] = useState(false)
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const [isTried, setIsTried] = useState(false)
  const { isBusy, failure, run } = useChange(sendNewCode)
  const fields = useFields(
    { opening_credit: '0', per_day: String(REGISTRATIONS_PER_DAY.default) },
    ({ opening_credit, per_day }) => ({
      opening_credit: readBaht(opening_credit) === null ? 'amount' : null,
      per_day: readRegistrations(per_day) === null ? 'per_day' : null,
    }),
    (problem) => t(`problem.${problem}`, { max: REGISTRATIONS_PER_DAY.max }),
  )
  const send = async (): Promise<void> => {
    const made = await run({
      ...(hasAll
        ? {}
        : {
            packages: choices
              .filter((one) => chosen.has(packageKeyOf(one)))
              .map(({ product_code, package_code }) => ({ product_code, package_code })),
          }),
      ...(mayGiveCredit ? { opening_credit_satang: readBaht(fields.values.opening_credit)! } : {}),
      registrations_per_day: readRegistrations(fields.values.per_day)!,
      is_email_optional: isEmailOptional,
    })
    if (made === null) return
    showToast('good', t('made', { code: made.result.code }))
    onDone()
  }
  const lacksPackages = !hasAll && chosen.size === 0
  return (
    <Stack
      noValidate
      as="form"
      gap={12}
      onSubmit={(event) => {
        setIsTried(true)
        fields.submit(event, () => {
          if (!lacksPackages) void send()
        })
      }}
    >
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
      <Checkbox label={t('without_email')} isChecked={isEmailOptional} onChange={setIsEmailOptional} />
      <Checkbox label={t('give_all')} isChecked={hasAll} onChange={setHasAll} />
      {!hasAll && <PackagePicker label={t('packages')} choices={choices} chosen={chosen} onChoose={setChosen} />}
      {isTried && lacksPackages && <p className={classes.refused}>{t('problem.packages')}</p>}
      {failure !== null && <Alert kind="bad">{failure}</Alert>}
      <Button type="submit" isBusy={isBusy}>
        {t('make')}
      </Button>
    </Stack>
  )
}
