import '@mantine/core/styles/UnstyledButton.css'
import '@mantine/core/styles/Loader.css'
import '@mantine/core/styles/Button.css'
import '@mantine/core/styles/ActionIcon.css'
import '@mantine/core/styles/Input.css'
import '@mantine/core/styles/PasswordInput.css'
import { Button, PasswordInput, TextInput } from '@mantine/core'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import type { ChangeEvent, FormEvent } from 'react'
import { useTranslations } from 'use-intl'
import { randomUuid } from '../../lib/random-uuid.ts'
import { clearLeaveReason, useSession } from '../../lib/session-store.ts'
import { useFailureText } from '../../ui/failure-text.ts'
import { LanguageSwitch } from '../../ui/language-switch.tsx'
import { Notice } from '../../ui/notice.tsx'
import { CaptchaField } from './captcha-field.tsx'
import classes from './login-page.module.css'
import { findProblems, fields } from './login-rules.ts'
import type { Field } from './login-rules.ts'
import { enter } from './queries.ts'

const route = getRouteApi('/auth/login')

/** A picture's answer lives three minutes on the server: fetch a new picture shortly before. */
const CAPTCHA_LIFE_MS = 170_000

export function LoginPage() {
  const t = useTranslations('auth')
  const common = useTranslations('common')
  return (
    <div className={classes.page}>
      <header className={classes.top}>
        <LanguageSwitch />
      </header>
      <main className={classes.panel}>
        <img src="/favicon.svg" alt="" width={48} height={48} className={classes.mark} />
        <p className={classes.name}>{common('app_name')}</p>
        <h1 className={classes.title}>{t('title')}</h1>
        <LoginForm />
      </main>
    </div>
  )
}

function LoginForm() {
  const t = useTranslations('auth')
  const failureText = useFailureText()
  const navigate = useNavigate()
  const { back } = route.useSearch()
  const leaveReason = useSession((session) => session.leave_reason)
  const [requestId, setRequestId] = useState(randomUuid)
  const [values, setValues] = useState({ username: '', password: '', captcha_txt: '' })
  const [areProblemsShown, setAreProblemsShown] = useState(false)
  const [failure, setFailure] = useState<string | null>(null)
  const [isBusy, setIsBusy] = useState(false)
  const captchaRef = useRef<HTMLInputElement>(null)
  const pictureRef = useRef<HTMLImageElement>(null)

  const problems = findProblems(values)
  const problemText = (field: Field): string | null => {
    const problem = areProblemsShown ? problems[field] : null
    return problem === null ? null : t(`problem.${problem}`)
  }
  const fieldProps = (field: Field) => ({
    name: field,
    value: values[field],
    onChange: (event: ChangeEvent<HTMLInputElement>) => setValues({ ...values, [field]: event.currentTarget.value }),
    error: problemText(field),
    required: true,
    withAsterisk: false,
  })

  const renewCaptcha = (): void => {
    setRequestId(randomUuid())
    setValues((current) => ({ ...current, captcha_txt: '' }))
  }

  useEffect(() => {
    const timer = setTimeout(() => {
      setRequestId((current) => (current === requestId ? randomUuid() : current))
      setValues((current) => ({ ...current, captcha_txt: '' }))
    }, CAPTCHA_LIFE_MS)
    return () => clearTimeout(timer)
  }, [requestId])

  const send = async (): Promise<void> => {
    setIsBusy(true)
    setFailure(null)
    clearLeaveReason()
    try {
      // A program that fills the form faster than the picture arrives must not overtake it.
      await pictureRef.current?.decode().catch(() => undefined)
      if (await enter({ ...values, request_id: requestId })) await navigate({ href: back ?? '/', replace: true })
      else renewCaptcha()
    } catch (error) {
      setFailure(failureText(error))
      setAreProblemsShown(false)
      renewCaptcha()
      captchaRef.current?.focus()
    } finally {
      setIsBusy(false)
    }
  }

  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault()
    if (isBusy) return
    setAreProblemsShown(true)
    const first = fields.find((field) => problems[field] !== null)
    if (first === undefined) void send()
    else event.currentTarget.querySelector<HTMLInputElement>(`[name=${first}]`)?.focus()
  }

  const notice = failure ?? leaveReason
  return (
    <form onSubmit={submit} noValidate className={classes.form} aria-label={t('title')}>
      {notice !== null && <Notice kind={failure === null ? 'warn' : 'bad'}>{notice}</Notice>}
      <TextInput
        {...fieldProps('username')}
        label={t('username')}
        autoComplete="username"
        autoCapitalize="none"
        autoCorrect="off"
        spellCheck={false}
      />
      <PasswordInput
        {...fieldProps('password')}
        label={t('password')}
        autoComplete="current-password"
        visibilityToggleButtonProps={{ 'aria-label': t('show_password'), tabIndex: 0 }}
      />
      <CaptchaField
        requestId={requestId}
        pictureRef={pictureRef}
        onRefresh={renewCaptcha}
        inputProps={{ ...fieldProps('captcha_txt'), ref: captchaRef }}
      />
      <Button type="submit" fullWidth loading={isBusy} mt={4}>
        {t('submit')}
      </Button>
    </form>
  )
}
