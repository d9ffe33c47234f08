import type { Factor } from '@megalot/contract'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { showToast } from '../../../lib/feedback/toast.ts'
import { toRefusal } from '../../../lib/errors/refusal.ts'
import { useChange } from '../../../lib/api/use-change.ts'
import { useForm } from '../../../lib/forms/use-form.ts'
import { Alert } from '../../../ui/alert.tsx'
import { Button } from '../../../ui/button.tsx'
import { DialogSheet } from '../../../ui/dialog-sheet.tsx'
import { Stack } from '../../../ui/layout.tsx'
import { PasswordInput, TextInput } from '../../../ui/text-input.tsx'
import { makeRecoveryCodes, removeFactor, renameFactor } from '../../../shared/second-factor/queries.ts'
import { RecoveryCodes } from './recovery-codes.tsx'

interface FactorDialogProps {
  /** Null: closed. */
  factor: Factor | null
  onClose: () => void
}

export function RenameDialog({ factor, onClose }: FactorDialogProps) {
  const t = useTranslations('factor')
  return (
    <DialogSheet isOpen={factor !== null} onClose={onClose} title={t('rename.title')}>
      {factor !== null && <RenameForm factor={factor} onClose={onClose} />}
    </DialogSheet>
  )
}

function RenameForm({ factor, onClose }: { factor: Factor; onClose: () => void }) {
  const t = useTranslations('factor')
  const { isBusy, failure, run } = useChange(renameFactor)
  const fields = useForm({
    initial: { name: factor.name },
    check: ({ name }) => ({ name: name.trim() === '' ? t('enrol.problem.name') : null }),
    send: async ({ name }) => {
      if (!(await run({ factor_id: factor.factor_id, name: name.trim() }))) return
      showToast('good', t('page.renamed'))
      onClose()
    },
  })
  return (
    <Stack as="form" noValidate gap={14} onSubmit={fields.submit}>
      <TextInput {...fields.propsOf('name')} label={t('enrol.name')} maxLength={60} />
      {failure !== null && <Alert kind="bad">{failure}</Alert>}
      <Button type="submit" isBusy={isBusy}>
        {t('rename.submit')}
      </Button>
    </Stack>
  )
}

export function RemoveDialog({ factor, isLast, onClose }: FactorDialogProps & { isLast: boolean }) {
  const t = useTranslations('factor')
  return (
    <DialogSheet isOpen={factor !== null} onClose={onClose} title={t('remove.title')}>
      {factor !== null && <RemoveForm factor={factor} isLast={isLast} onClose={onClose} />}
    </DialogSheet>
  )
}

function RemoveForm({ factor, isLast, onClose }: { factor: Factor; isLast: boolean; onClose: () => void }) {
  const t = useTranslations('factor')
  const { isBusy, failure, run } = useChange(removeFactor)
  const remove = async (): Promise<void> => {
    if (!(await run(factor.factor_id))) return
    showToast('good', t('page.removed'))
    onClose()
  }
  return (
    <Stack gap={14}>
      <p>{t('remove.text', { name: factor.name })}</p>
      {isLast && <Alert kind="warn">{t('remove.last')}</Alert>}
      {failure !== null && <Alert kind="bad">{failure}</Alert>}
      <Button tone="bad" isBusy={isBusy} onClick={() => void remove()}>
        {t('remove.submit')}
      </Button>
    </Stack>
  )
}

export function RenewCodesDialog({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  const t = useTranslations('factor.codes')
  const [codes, setCodes] = useState<readonly string[] | null>(null)
  const close = (): void => {
    setCodes(null)
    onClose()
  }
  return (
    <DialogSheet
      isOpen={isOpen}
      onClose={close}
      title={t('renew')}
      dismissible={codes === null ? 'explicitly' : 'never'}
    >
      {codes === null ? <RenewCodesForm onDone={setCodes} /> : <RecoveryCodes codes={codes} onKept={close} />}
    </DialogSheet>
  )
}

function RenewCodesForm({ onDone }: { onDone: (codes: readonly string[]) => void }) {
  const t = useTranslations('factor')
  const { isBusy, error, failure, run } = useChange(makeRecoveryCodes)
  const fields = useForm({
    initial: { password: '' },
    check: ({ password }) => ({ password: password === '' ? t('enrol.problem.password') : null }),
    send: async ({ password }) => {
      const made = await run(password)
      if (made) onDone(made.result)
    },
  })
  const isOfPassword = error !== null && toRefusal(error).code === 'wrong_password'
  const password = fields.propsOf('password')
  return (
    <Stack as="form" noValidate gap={14} onSubmit={fields.submit}>
      <Alert kind="warn">{t('codes.renew_text')}</Alert>
      <PasswordInput
        {...password}
        error={password.error ?? (isOfPassword ? failure : null)}
        label={t('enrol.password')}
        autoComplete="current-password"
        toggleLabel={t('enrol.show')}
      />
      {failure !== null && !isOfPassword && <Alert kind="bad">{failure}</Alert>}
      <Button type="submit" isBusy={isBusy}>
        {t('codes.renew')}
      </Button>
    </Stack>
  )
}
