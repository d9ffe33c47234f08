import { Button } from '../../ui/button.tsx'
import { TextInput } from '../../ui/text-input.tsx'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { useFields } from '../../lib/forms/use-fields.ts'
import { useAction } from '../../lib/forms/use-action.ts'
import { Alert } from '../../ui/alert.tsx'
import { AuthFrame } from './auth-frame.tsx'
import { findEmailProblem } from './credential-rules.ts'
import classes from './login-page.module.css'
import { askForLink } from './credential-queries.ts'

export function ForgotPage() {
  const t = useTranslations('credentials')
  const [isSent, setIsSent] = useState(false)
  const { isBusy, failure, run } = useAction()
  const fields = useFields(
    { email: '' },
    ({ email }) => ({ email: findEmailProblem(email) }),
    (problem) => t(`problem.${problem}`),
  )
  const send = async (): Promise<void> => {
    await askForLink(fields.values.email.trim())
    setIsSent(true)
  }
  return (
    <AuthFrame title={t('forgot.title')}>
      <form
        onSubmit={(event) => fields.submit(event, () => void run(send))}
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
            <p>{t('forgot.staff')}</p>
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
