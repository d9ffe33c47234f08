import { Button } from '../../ui/button.tsx'
import { PasswordStrength } from '../../ui/password-strength.tsx'
import { PasswordInput } from '../../ui/text-input.tsx'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { inWords, useForm } from '../../lib/forms/use-form.ts'
import { useSend } from '../../lib/forms/use-send.ts'
import { Alert } from '../../ui/alert.tsx'
import { AuthFrame } from '../../shared/account/auth-frame.tsx'
import { findConfirmProblem, findNewPasswordProblem } from '../../shared/account/credential-rules.ts'
import classes from '../../shared/account/login-page.module.css'
import { setNewPassword } from './credential-queries.ts'
import { useLinkToken } from '../../shared/account/use-link-token.ts'

export function ResetPage() {
  const t = useTranslations('credentials')
  const token = useLinkToken()
  const [isDone, setIsDone] = useState(false)
  const [isEasyToGuess, setIsEasyToGuess] = useState(false)
  const { isBusy, failure, run } = useSend(setNewPassword)
  const fields = useForm({
    initial: { new_password: '', confirm_password: '' },
    check: ({ new_password, confirm_password }) =>
      inWords(
        {
          new_password: findNewPasswordProblem(new_password),
          confirm_password: findConfirmProblem(new_password, confirm_password),
        },
        (problem) => t(`problem.${problem}`),
      ),
    send: async (values) => {
      const saved = token === null ? null : await run({ token, ...values })
      if (saved === null) return
      setIsEasyToGuess(saved.result)
      setIsDone(true)
    },
  })
  const toggle = { toggleLabel: t('show_password') }
  const isOpen = token !== null && !isDone
  return (
    <AuthFrame title={t('reset.title')}>
      <form onSubmit={fields.submit} noValidate className={classes.form} aria-label={t('reset.title')}>
        {token === null && <Alert kind="bad">{t('reset.no_token')}</Alert>}
        {failure !== null && <Alert kind="bad">{failure}</Alert>}
        {isDone && <Alert kind="good">{t('reset.done')}</Alert>}
        {isEasyToGuess && <Alert kind="warn">{t('easy_to_guess')}</Alert>}
        {isOpen && (
          <>
            <PasswordInput
              {...fields.propsOf('new_password')}
              {...toggle}
              label={t('reset.new_password')}
              autoComplete="new-password"
            />
            <PasswordStrength password={fields.values.new_password} />
            <PasswordInput
              {...fields.propsOf('confirm_password')}
              {...toggle}
              label={t('reset.confirm_password')}
              autoComplete="new-password"
            />
            <Button type="submit" isWide isBusy={isBusy}>
              {t('reset.submit')}
            </Button>
          </>
        )}
        <p className={classes.links}>
          <Link to="/auth/login">{t('forgot.to_login')}</Link>
          {!isDone && <Link to="/auth/forgot-password">{t('reset.ask_again')}</Link>}
        </p>
      </form>
    </AuthFrame>
  )
}
