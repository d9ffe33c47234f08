import { Fragment } from 'react'
import { useTranslations } from 'use-intl'
import { toRefusal } from '../../lib/errors/refusal.ts'
import { showToast } from '../../lib/feedback/toast.ts'
import { useSend } from '../../lib/forms/use-send.ts'
import { inWords, useForm } from '../../lib/forms/use-form.ts'
import { Alert } from '../../ui/alert.tsx'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/layout.tsx'
import { PasswordStrength } from '../../ui/password-strength.tsx'
import { PasswordInput } from '../../ui/text-input.tsx'
import { findPasswordProblems } from '../../shared/account/password-rules.ts'
import { savePassword } from '../../shared/account/queries.ts'

const fieldNames = ['old_password', 'new_password', 'confirm_password'] as const
/** Which field a refusal of the server is about. */
const fieldsOfRefusals: Readonly<Record<string, (typeof fieldNames)[number]>> = {
  wrong_old_password: 'old_password',
  weak_password: 'new_password',
  common_password: 'new_password',
  same_password: 'new_password',
}

/** Sets a password of one's own in place of the one that somebody else has given; it needs no frame of the application. */
export function OwnPasswordForm({ onDone }: { onDone: () => void }) {
  const t = useTranslations('account.password')
  const { isBusy, error, failure, run } = useSend(savePassword)
  const fields = useForm({
    initial: { old_password: '', new_password: '', confirm_password: '' },
    check: (values) => inWords(findPasswordProblems(values), (problem) => t(`problem.${problem}`)),
    send: async (values) => {
      const saved = await run(values)
      if (saved === null) return
      onDone()
      showToast(saved.result ? 'plain' : 'good', t(saved.result ? 'done_easy_to_guess' : 'done'))
    },
  })
  const refused = error === null ? undefined : fieldsOfRefusals[toRefusal(error).code]
  return (
    <Card as="form" onSubmit={fields.submit} noValidate gap={16} pad={16} most={460} aria-label={t('title')}>
      {failure !== null && refused === undefined && <Alert kind="bad">{failure}</Alert>}
      {fieldNames.map((name) => {
        const props = fields.propsOf(name)
        return (
          <Fragment key={name}>
            <PasswordInput
              {...props}
              error={props.error ?? (refused !== name ? null : name === 'old_password' ? t('given_wrong') : failure)}
              description={name === 'new_password' ? t('new_hint') : undefined}
              label={name === 'old_password' ? t('given_password') : t(name)}
              autoComplete={name === 'old_password' ? 'current-password' : 'new-password'}
              toggleLabel={t('show')}
            />
            {name === 'new_password' && <PasswordStrength password={fields.values.new_password} />}
          </Fragment>
        )
      })}
      <Button type="submit" isWide isBusy={isBusy}>
        {t('submit')}
      </Button>
    </Card>
  )
}
