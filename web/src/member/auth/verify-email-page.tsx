import { Button } from '../../ui/button.tsx'
import { PasswordInput } from '../../ui/text-input.tsx'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { inWords, useForm } from '../../lib/forms/use-form.ts'
import { useSend } from '../../lib/forms/use-send.ts'
import { Alert } from '../../ui/alert.tsx'
import { AuthFrame } from '../../shared/account/auth-frame.tsx'
import { findNewPasswordProblem } from '../../shared/account/credential-rules.ts'
import classes from '../../shared/account/login-page.module.css'
import { verifyAddress } from './credential-queries.ts'
import { useLinkToken } from '../../shared/account/use-link-token.ts'

/** Target of the link in a new member's mail. Link and password together verify the address. */
export function VerifyEmailPage() {
  const t = useTranslations('credentials')
  const token = useLinkToken()
  const [isDone, setIsDone] = useState(false)
  const { isBusy, failure, run } = useSend(verifyAddress)
  const fields = useForm({
    initial: { password: '' },
    check: ({ password }) =>
      inWords({ password: findNewPasswordProblem(password) }, (problem) => t(`problem.${problem}`)),
    send: async ({ password }) => {
      if (token !== null && (await run({ token, password }))) setIsDone(true)
    },
  })
  return (
    <AuthFrame title={t('verify.title')}>
      <form onSubmit={fields.submit} noValidate className={classes.form} aria-label={t('verify.title')}>
        {token === null && <Alert kind="bad">{t('verify.no_token')}</Alert>}
        {failure !== null && <Alert kind="bad">{failure}</Alert>}
        {isDone && <Alert kind="good">{t('verify.done')}</Alert>}
        {token !== null && !isDone && (
          <>
            <p>{t('verify.text')}</p>
            <PasswordInput
              {...fields.propsOf('password')}
              toggleLabel={t('show_password')}
              label={t('register.password')}
              autoComplete="current-password"
            />
            <Button type="submit" isWide isBusy={isBusy}>
              {t('verify.submit')}
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
