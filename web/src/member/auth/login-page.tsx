import { Button } from '../../ui/button.tsx'
import { PasswordInput, TextInput } from '../../ui/text-input.tsx'
import { Link, getRouteApi, useNavigate } from '@tanstack/react-router'
import { useRef } from 'react'
import { useTranslations } from 'use-intl'
import { clearLeaveReason, useSession } from '../../lib/session/session-store.ts'
import { ENROLMENT_HREF } from '../../lib/page/addresses.ts'
import { inWords, useForm } from '../../lib/forms/use-form.ts'
import { useSend } from '../../lib/forms/use-send.ts'
import { Alert } from '../../ui/alert.tsx'
import { AuthFrame } from '../../shared/account/auth-frame.tsx'
import { CaptchaField } from './captcha-field.tsx'
import classes from '../../shared/account/login-page.module.css'
import { findProblems } from '../../shared/account/login-rules.ts'
import { logIn } from './queries.ts'
import { awaitPicture, useCaptcha, useCaptchaLife } from './use-captcha.ts'

const route = getRouteApi('/auth/login')

export function LoginPage() {
  const { back } = route.useSearch()
  return <LoginView back={back} />
}

/** The page apart from its address, for the prerendered frame. @param back where a log-in leads; nowhere: the first page */
export function LoginView({ back }: { back?: string | undefined }) {
  const t = useTranslations('auth')
  return (
    <AuthFrame title={t('title')}>
      <LoginForm back={back} />
    </AuthFrame>
  )
}

function LoginForm({ back }: { back: string | undefined }) {
  const t = useTranslations('auth')
  const navigate = useNavigate()
  const leaveReason = useSession((session) => session.leave_reason)
  const captchaRef = useRef<HTMLInputElement>(null)
  const pictureRef = useRef<HTMLImageElement>(null)
  const captcha = useCaptcha()
  const fields = useForm({
    initial: { username: '', password: '', captcha_txt: '' },
    check: (values) => inWords(findProblems(values, captcha.isByWork), (problem) => t(`problem.${problem}`)),
    send: () => {
      clearLeaveReason()
      return run()
    },
  })

  const renewCaptcha = (): void => {
    captcha.renew()
    fields.change({ captcha_txt: '' })
  }
  useCaptchaLife(captcha.requestId, renewCaptcha)

  const tryToLogIn = async (answer: Parameters<typeof logIn>[1]): Promise<void> => {
    const { username, password } = fields.values
    const outcome = await logIn({ username: username.trim(), password }, answer)
    if (outcome === 'ended') renewCaptcha()
    else if (outcome === 'steps')
      await navigate({ to: '/auth/steps', search: back === undefined ? {} : { back }, replace: true })
    else await navigate({ href: outcome === 'enrolment' ? ENROLMENT_HREF : (back ?? '/'), replace: true })
  }

  const attempt = async (): Promise<void> => {
    await awaitPicture(pictureRef.current)
    try {
      await tryToLogIn(await captcha.answer(fields.values.captcha_txt))
    } catch (error) {
      // After many failed attempts, some of them perhaps by others, a harder proof of work allows the next one at once.
      const proof = await captcha.proveFor(error)
      if (proof === null) throw error
      await tryToLogIn(proof)
    }
  }

  const { isBusy, failure, run } = useSend(attempt, () => {
    renewCaptcha()
    fields.reset({ captcha_txt: '' })
    captchaRef.current?.focus()
  })

  const notice = failure ?? leaveReason
  return (
    <form onSubmit={fields.submit} noValidate className={classes.form} aria-label={t('title')}>
      {notice !== null && <Alert kind={failure === null ? 'plain' : 'bad'}>{notice}</Alert>}
      <TextInput
        {...fields.propsOf('username')}
        label={t('username')}
        autoComplete="username"
        autoCapitalize="none"
        autoCorrect="off"
        spellCheck={false}
      />
      <PasswordInput
        {...fields.propsOf('password')}
        label={t('password')}
        autoComplete="current-password"
        toggleLabel={t('show_password')}
      />
      <CaptchaField
        captcha={captcha}
        onRenew={renewCaptcha}
        pictureRef={pictureRef}
        inputProps={{ ...fields.propsOf('captcha_txt'), ref: captchaRef }}
      />
      <Button type="submit" isWide isBusy={isBusy}>
        {t('submit')}
      </Button>
      <p className={classes.links}>
        <Link to="/auth/register">{t('to_register')}</Link>
        <Link to="/auth/forgot-password">{t('to_forgot')}</Link>
      </p>
    </form>
  )
}
