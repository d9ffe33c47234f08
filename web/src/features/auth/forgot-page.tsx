import { Button } from '../../ui/button.tsx'
import { TextInput } from '../../ui/text-input.tsx'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { useFields } from '../../lib/forms/use-fields.ts'
import { useErrorMessage } from '../../lib/errors/use-error-message.ts'
import { Alert } from '../../ui/alert.tsx'
import { AuthFrame } from './auth-frame.tsx'
import { findEmailProblem } from './credential-rules.ts'
import classes from './login-page.module.css'
import { askForLink } from './queries.ts'

export function ForgotPage() {
  const t = useTranslations('credentials')
  const errorMessage = useErrorMessage()
  const [isSent, setIsSent] = useState(false)
  const [failure, setFailure] = useState<string | null>(null)
  const [isBusy, setIsBusy] = useState(false)
  const fields = useFields(
    { email: '' },
    ({ email }) => ({ email: findEmailProblem(email) }),
    (problem) => t(`problem.${problem}`),
  )
  const send = async (): Promise<void> => {
    setIsBusy(true)
    setFailure(null)
    try {
      await askForLink(fields.values.email.trim())
      setIsSent(true)
    } catch (error) {
      setFailure(errorMessage(error))
    } finally {
      setIsBusy(false)
    }
  }
  return (
    <AuthFrame title={t('forgot.title')}>
      <form
        onSubmit={(event) => fields.submit(event, () => !isBusy && void send())}
        noValidate
        className={classes.form}
        aria-label={t('forgot.title')}
      >
        {failure !== null && <Alert kind="bad">{failure}</Alert>}
        {isSent ? (
          <Alert kind="good">{t('forgot.sent')}</Alert>
        ) : (
          <>
            <p>{t('forgot.text')}</p>
            <TextInput
              {...fields.propsOf('email')}
              type="email"
              label={t('register.email')}
              autoComplete="email"
              autoCapitalize="none"
            />
            <Button type="submit" isWide isBusy={isBusy}>
              {t('forgot.submit')}
            </Button>
          </>
        )}
        <p className={classes.links}>
          <Link to="/auth/login">{t('forgot.to_login')}</Link>
        </p>
      </form>
    </AuthFrame>
  )
}
