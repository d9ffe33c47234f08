import { Button } from '../../ui/button.tsx'
import { PasswordInput } from '../../ui/text-input.tsx'
import { changePassword } from '@megalot/contract'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { callRoute } from '../../lib/api/http-client.ts'
import { toRefusal } from '../../lib/errors/refusal.ts'
import { closeSession } from '../../lib/session/session-store.ts'
import { useFields } from '../../lib/forms/use-fields.ts'
import { useErrorMessage } from '../../lib/errors/use-error-message.ts'
import { Alert } from '../../ui/alert.tsx'
import { PageTitle } from '../../ui/page-title.tsx'
import classes from './account.module.css'
import { findPasswordProblems } from './password-rules.ts'

const fieldNames = ['old_password', 'new_password', 'confirm_password'] as const
const autoComplete = {
  old_password: 'current-password',
  new_password: 'new-password',
  confirm_password: 'new-password',
}

export function PasswordPage() {
  const t = useTranslations('account.password')
  const errorMessage = useErrorMessage()
  const [failure, setFailure] = useState<unknown>(null)
  const [isBusy, setIsBusy] = useState(false)
  const fields = useFields(
    { old_password: '', new_password: '', confirm_password: '' },
    findPasswordProblems,
    (problem) => t(`problem.${problem}`),
  )
  const send = async (): Promise<void> => {
    setIsBusy(true)
    setFailure(null)
    try {
      await callRoute(changePassword, { body: fields.values })
      // The server has ended this session with all others.
      closeSession(t('done'))
    } catch (error) {
      setFailure(error)
      setIsBusy(false)
    }
  }
  return (
    <>
      <PageTitle title={t('title')} />
      <p className={classes.text}>{t('text')}</p>
      <form
        onSubmit={(event) => fields.submit(event, () => !isBusy && void send())}
        noValidate
        className={classes.form}
        aria-label={t('title')}
      >
        {failure !== null && (
          <Alert kind="bad" title={t('failed')}>
            <p>{errorMessage(failure)}</p>
            {toRefusal(failure).code !== 'no_reply' && <p>{t('error', { code: toRefusal(failure).code })}</p>}
          </Alert>
        )}
        {fieldNames.map((name) => (
          <PasswordInput
            key={name}
            {...fields.propsOf(name)}
            label={t(name)}
            autoComplete={autoComplete[name]}
            toggleLabel={t('show')}
          />
        ))}
        <Button type="submit" isBusy={isBusy}>
          {t('submit')}
        </Button>
      </form>
    </>
  )
}
