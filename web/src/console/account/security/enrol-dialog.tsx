import type { FactorKind } from '@megalot/contract'
import IconCopy from '~icons/copy'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { showToast } from '../../../lib/feedback/toast.ts'
import { useChange } from '../../../lib/api/use-change.ts'
import type { Change } from '../../../lib/api/use-change.ts'
import { useForm } from '../../../lib/forms/use-form.ts'
import { toRefusal } from '../../../lib/errors/refusal.ts'
import { Alert } from '../../../ui/alert.tsx'
import { Button } from '../../../ui/button.tsx'
import { DialogSheet } from '../../../ui/dialog-sheet.tsx'
import { Intro, Stack } from '../../../ui/layout.tsx'
import { QrCode } from '../../../ui/qr-code.tsx'
import { PasswordInput, TextInput } from '../../../ui/text-input.tsx'
import { isTotpCode } from '../../../shared/second-factor/factor-rules.ts'
import { addPasskey, addTotp, beginTotp } from '../../../shared/second-factor/queries.ts'
import type { Enrolment } from '../../../shared/second-factor/queries.ts'
import { RecoveryCodes } from './recovery-codes.tsx'
import classes from '../../../shared/second-factor/second-factor.module.css'
import { useFactorFailure } from '../../../shared/second-factor/use-factor-failure.ts'

interface EnrolDialogProps {
  /** The kind of factor being added; null if closed. */
  kind: FactorKind | null
  /** The first factor needs the password. */
  onClose: () => void
}

/** Adds a second factor; with the first one the recovery codes are shown, which the user must keep before going on. */
export function EnrolDialog({ kind, onClose }: EnrolDialogProps) {
  const t = useTranslations('factor')
  const [codes, setCodes] = useState<readonly string[] | null>(null)
  const close = (): void => {
    setCodes(null)
    onClose()
  }
  const finish = ({ recovery_codes }: Enrolment): void => {
    showToast('good', t('page.added'))
    if (recovery_codes === null) close()
    else setCodes(recovery_codes)
  }
  const title = codes !== null ? t('codes.title') : kind === 'totp' ? t('page.add_totp') : t('page.add_passkey')
  return (
    <DialogSheet
      isOpen={kind !== null}
      onClose={close}
      title={title}
      dismissible={codes === null ? 'explicitly' : 'never'}
    >
      {codes !== null && <RecoveryCodes codes={codes} onKept={close} />}
      {codes === null && kind === 'passkey' && <EnrolPasskey onDone={finish} />}
      {codes === null && kind === 'totp' && <EnrolTotp onDone={finish} />}
    </DialogSheet>
  )
}

interface EnrolProps {
  onDone: (enrolment: Enrolment) => void
}

interface BeginFormProps<Begun> {
  kind: FactorKind
  /** Adds the factor, or begins to. */
  change: Change<{ name: string; password: string }, Begun>
  onDone: (begun: Begun) => void
}

/** The name of a factor, and the password. */
function BeginForm<Begun>({ kind, change, onDone }: BeginFormProps<Begun>) {
  const t = useTranslations('factor.enrol')
  const action = useChange(change)
  const failure = useFactorFailure(action)
  const fields = useForm({
    initial: { name: t(`usual_name.${kind}`), password: '' },
    check: ({ name, password }) => ({
      name: name.trim() === '' ? t('problem.name') : null,
      password: password === '' ? t('problem.password') : null,
    }),
    send: async ({ name, password }) => {
      const begun = await action.run({ name: name.trim(), password })
      if (begun) onDone(begun.result)
    },
  })
  const isOfPassword = action.error !== null && toRefusal(action.error).code === 'wrong_password'
  const password = fields.propsOf('password')
  return (
    <Stack as="form" noValidate gap={14} onSubmit={fields.submit}>
      <TextInput {...fields.propsOf('name')} label={t('name')} description={t('name_hint')} maxLength={60} />
      <PasswordInput
        {...password}
        error={password.error ?? (isOfPassword ? failure : null)}
        label={t('password')}
        autoComplete="current-password"
        toggleLabel={t('show')}
      />
      {failure !== null && !isOfPassword && <Alert kind="bad">{failure}</Alert>}
      <Button type="submit" isWide isBusy={action.isBusy}>
        {t('next')}
      </Button>
    </Stack>
  )
}

function EnrolPasskey({ onDone }: EnrolProps) {
  return <BeginForm kind="passkey" change={addPasskey} onDone={onDone} />
}

const beginning = {
  changes: [],
  send: async ({ name, password }: { name: string; password: string }) => ({ name, ...(await beginTotp(password)) }),
}

type TotpStart = Awaited<ReturnType<typeof beginning.send>>

function EnrolTotp({ onDone }: EnrolProps) {
  const [started, setStarted] = useState<TotpStart | null>(null)
  if (started !== null) return <TotpForm {...started} onDone={onDone} />
  return <BeginForm kind="totp" change={beginning} onDone={setStarted} />
}

function TotpForm({ name, secret, otpauth_url, onDone }: TotpStart & Pick<EnrolProps, 'onDone'>) {
  const t = useTranslations('factor.enrol')
  const { isBusy, failure, run } = useChange(addTotp)
  const fields = useForm({
    initial: { code: '' },
    check: ({ code }) => ({ code: isTotpCode(code) ? null : t('problem.code') }),
    send: async ({ code }) => {
      const added = await run({ name, code: code.trim() })
      if (added) onDone(added.result)
    },
  })
  const code = fields.propsOf('code')
  const copy = (): void => void navigator.clipboard.writeText(secret).then(() => showToast('good', t('copied')))
  return (
    <Stack as="form" noValidate gap={14} onSubmit={fields.submit}>
      <p>{t('scan')}</p>
      <QrCode text={otpauth_url} label={t('qr')} className={classes.qr} />
      <Intro most="68ch">{t('by_hand')}</Intro>
      <code className={classes.secret} data-testid="totp-secret">
        {secret.replaceAll(/(.{4})(?=.)/g, '$1 ')}
      </code>
      <Button variant="default" size="sm" icon={<IconCopy size={18} stroke={1.75} aria-hidden="true" />} onClick={copy}>
        {t('copy')}
      </Button>
      <TextInput
        {...code}
        error={code.error ?? failure}
        label={t('code')}
        autoComplete="one-time-code"
        inputMode="numeric"
        maxLength={6}
      />
      <Button type="submit" isWide isBusy={isBusy}>
        {t('submit')}
      </Button>
    </Stack>
  )
}
