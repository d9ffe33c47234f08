import { Button } from '../../ui/button.tsx'
import { PasswordStrength } from '../../ui/password-strength.tsx'
import { PasswordInput, TextInput } from '../../ui/text-input.tsx'
import { Link, getRouteApi, useNavigate } from '@tanstack/react-router'
import { useRef, useState } from 'react'
import { useTranslations } from 'use-intl'
import { showToast } from '../../lib/feedback/toast.ts'
import { toRefusal } from '../../lib/errors/refusal.ts'
import { inWords, useForm } from '../../lib/forms/use-form.ts'
import { useSend } from '../../lib/forms/use-send.ts'
import { Alert } from '../../ui/alert.tsx'
import { AuthFrame } from '../../shared/account/auth-frame.tsx'
import { CaptchaField } from './captcha-field.tsx'
import { findRegistrationProblems, registrationFields } from '../../shared/account/credential-rules.ts'
import classes from '../../shared/account/login-page.module.css'
import { register } from './credential-queries.ts'
import { awaitPicture, useCaptcha, useCaptchaLife } from './use-captcha.ts'

const route = getRouteApi('/auth/register')

export function RegisterPage() {
  const t = useTranslations('credentials.register')
  return (
    <AuthFrame title={t('title')}>
      <RegisterForm />
    </AuthFrame>
  )
}

function RegisterForm() {
  const t = useTranslations('credentials')
  const { code = '' } = route.useSearch()
  const navigate = useNavigate()
  const formRef = useRef<HTMLFormElement>(null)
  const pictureRef = useRef<HTMLImageElement>(null)
  const captcha = useCaptcha()
  const fields = useForm({
    initial: { ...registrationFields, agent_code: code },
    check: (values) =>
      inWords(findRegistrationProblems(values, captcha.isByWork), (problem) => t(`problem.${problem}`)),
    send: () => run(),
  })

  const renewCaptcha = (): void => {
    captcha.renew()
    fields.change({ captcha_txt: '' })
  }
  useCaptchaLife(captcha.requestId, renewCaptcha)

  const send = async (): Promise<void> => {
    const { agent_code, username, display_name, email, phone, password, captcha_txt } = fields.values
    const person = {
      agent_code: agent_code.trim(),
      username: username.trim(),
      display_name: display_name.trim(),
      ...(email.trim() === '' ? {} : { email: email.trim() }),
      ...(phone.trim() === '' ? {} : { phone: phone.trim() }),
      password,
    }
    await awaitPicture(pictureRef.current)
    const answer = await captcha.answer(captcha_txt)
    const { is_open, is_easy_to_guess } = await register({ ...person, ...answer }).catch(async (error: unknown) => {
      const proof = await captcha.proveFor(error)
      if (proof === null) throw error
      return register({ ...person, ...proof })
    })
    await navigate({ to: is_open ? '/' : '/auth/login', replace: true })
    if (is_easy_to_guess) showToast('plain', t('easy_to_guess'))
  }
  const { isBusy, error, failure, run } = useSend(send, (_failure, thrown) => {
    renewCaptcha()
    // The form is long and shows the failure at its top.
    if (toRefusal(thrown).code !== 'wrong_captcha') formRef.current?.scrollIntoView()
  })

  const isEmailNeeded = error !== null && toRefusal(error).code === 'email_needed'
  const email = fields.propsOf('email')
  const phone = fields.propsOf('phone')
  const hasProblem = isEmailNeeded || Boolean(email.error) || Boolean(phone.error)
  const [isMoreOpen, setIsMoreOpen] = useState(false)
  // What is wrong in it must be seen.
  if (hasProblem && !isMoreOpen) setIsMoreOpen(true)
  const plain = { autoCapitalize: 'none', autoCorrect: 'off', spellCheck: false } as const
  const toggle = { toggleLabel: t('show_password') }
  return (
    <form ref={formRef} onSubmit={fields.submit} noValidate className={classes.form} aria-label={t('register.title')}>
      {failure !== null && !isEmailNeeded && <Alert kind="bad">{failure}</Alert>}
      <TextInput
        {...fields.propsOf('agent_code')}
        {...plain}
        label={t('register.agent_code')}
        description={t('register.agent_code_hint')}
        autoComplete="off"
      />
      <TextInput
        {...fields.propsOf('username')}
        {...plain}
        label={t('register.username')}
        description={t('register.username_hint')}
        autoComplete="username"
      />
      <TextInput {...fields.propsOf('display_name')} label={t('register.display_name')} autoComplete="name" />
      <PasswordInput
        {...fields.propsOf('password')}
        {...toggle}
        label={t('register.password')}
        autoComplete="new-password"
      />
      <PasswordStrength password={fields.values.password} username={fields.values.username} />
      <PasswordInput
        {...fields.propsOf('confirm_password')}
        {...toggle}
        label={t('register.confirm_password')}
        autoComplete="new-password"
      />
      <details className={classes.more} open={isMoreOpen} onToggle={(event) => setIsMoreOpen(event.currentTarget.open)}>
        <summary>{t('register.more')}</summary>
        <div className={classes.form}>
          <TextInput
            {...email}
            error={email.error ?? (isEmailNeeded ? failure : null)}
            {...plain}
            type="email"
            label={t('register.email')}
            description={t('register.email_hint')}
            autoComplete="email"
          />
          <TextInput {...phone} type="tel" label={t('register.phone')} autoComplete="tel" />
        </div>
      </details>
      <CaptchaField
        captcha={captcha}
        onRenew={renewCaptcha}
        pictureRef={pictureRef}
        inputProps={fields.propsOf('captcha_txt')}
      />
      <Button type="submit" isWide isBusy={isBusy}>
        {t('register.submit')}
      </Button>
      <p className={classes.links}>
        <Link to="/auth/login">{t('register.to_login')}</Link>
      </p>
    </form>
  )
}
