import { Button } from '../../ui/button.tsx'
import { Fragment } from 'react'
import { PasswordStrength } from '../../ui/password-strength.tsx'
import { PasswordInput } from '../../ui/text-input.tsx'
import { useTranslations } from 'use-intl'
import { toRefusal } from '../../lib/errors/refusal.ts'
import { showToast } from '../../lib/feedback/toast.ts'
import { inWords, useForm } from '../../lib/forms/use-form.ts'
import { useSend } from '../../lib/forms/use-send.ts'
import { Alert } from '../../ui/alert.tsx'
import { Card, Intro } from '../../ui/layout.tsx'
import { PageTitle } from '../../ui/page-title.tsx'
import { findPasswordProblems } from './password-rules.ts'
import { savePassword } from './queries.ts'

const fieldNames = ['old_password', 'new_password', 'confirm_password'] as const
const autoComplete = {
  old_password: 'current-password',
  new_password: 'new-password',
  confirm_password: 'new-password',
}

export function PasswordPage() {
  const t = useTranslations('account.password')
  const { isBusy, error, failure, run } = useSend(savePassword)
  const fields = useForm({
    initial: { old_password: '', new_password: '', confirm_password: '' },
    check: (values) => inWords(findPasswordProblems(values), (problem) => t(`problem.${problem}`)),
    send: async (values) => {
      const saved = await run(values)
      if (saved === null) return
      fields.reset()
      showToast(saved.result ? 'plain' : 'good', t(saved.result ? 'done_easy_to_guess' : 'done'))
    },
  })
  return (
    <>
      <PageTitle title={t('title')} />
      <Intro most="68ch">{t('text')}</Intro>
      <Card as="form" onSubmit={fields.submit} noValidate gap={16} pad={16} most={460} aria-label={t('title')}>
        {failure !== null && (
          <Alert kind="bad" title={t('failed')}>
            <p>{failure}</p>
            {toRefusal(error).code !== 'no_reply' && <p>{t('error', { code: toRefusal(error).code })}</p>}
          </Alert>
        )}
        {fieldNames.map((name) => (
          <Fragment key={name}>
            <PasswordInput
              {...fields.propsOf(name)}
              label={t(name)}
              autoComplete={autoComplete[name]}
              toggleLabel={t('show')}
            />
            {name === 'new_password' && <PasswordStrength password={fields.values.new_password} />}
          </Fragment>
        ))}
        <Button type="submit" isBusy={isBusy}>
          {t('submit')}
        </Button>
      </Card>
    </>
  )
}
