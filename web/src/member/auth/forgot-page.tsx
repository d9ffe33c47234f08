import { Button } from '../../ui/button.tsx'
import { TextInput } from '../../ui/text-input.tsx'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { inWords, useForm } from '../../lib/forms/use-form.ts'
import { useSend } from '../../lib/forms/use-send.ts'
import { Alert } from '../../ui/alert.tsx'
import { AuthFrame } from '../../shared/account/auth-frame.tsx'
import { findIdentifierProblem } from '../../shared/account/credential-rules.ts'
import classes from '../../shared/account/login-page.module.css'
import { askForPassword } from './credential-queries.ts'
import { useCaptcha } from './use-captcha.ts'

/** Asks for a new password: by mail, or from the agent. The page says the same for every name. */
export function ForgotPage() {
  const t = useTranslations('credentials')
  const [isSent, setIsSent] = useState(false)
  const captcha = useCaptcha()
  const ask = async (identifier: string): Promise<void> => {
    await askForPassword(identifier).catch(async (error: unknown) => {
      const proof = await captcha.proveFor(error)
      if (proof === null) throw error
      await askForPassword(identifier, proof)
    })
  }
  const { isBusy, failure, run } = useSend(ask)
  const fields = useForm({
    initial: { identifier: '' },
    check: ({ identifier }) =>
      inWords({ identifier: findIdentifierProblem(identifier) }, (problem) => t(`problem.${problem}`)),
    send: async ({ identifier }) => {
      if (await run(identifier.trim())) setIsSent(true)
    },
  })
  return (
    <AuthFrame title={t('forgot.title')}>
      <form onSubmit={fields.submit} noValidate className={classes.form} aria-label={t('forgot.title')}>
        {failure !== null && <Alert kind="bad">{failure}</Alert>}
        {isSent ? (
          <Alert kind="good" title={t('forgot.sent')}>
            <p>{t('forgot.by_mail')}</p>
            <p>{t('forgot.by_agent')}</p>
          </Alert>
        ) : (
          <>
            <p className={classes.text}>{t('forgot.text')}</p>
            <TextInput
              {...fields.propsOf('identifier')}
              label={t('forgot.identifier')}
              autoComplete="username"
              autoCapitalize="none"
              autoCorrect="off"
              spellCheck={false}
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
