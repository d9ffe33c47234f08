import type { FactorKind, SessionState } from '@megalot/contract'
import IconFingerprint from '~icons/fingerprint'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { useSend } from '../../lib/forms/use-send.ts'
import { useForm } from '../../lib/forms/use-form.ts'
import { Alert } from '../../ui/alert.tsx'
import { Button } from '../../ui/button.tsx'
import { Intro, Stack } from '../../ui/layout.tsx'
import { SegmentedControl } from '../../ui/segmented-control.tsx'
import { TextInput } from '../../ui/text-input.tsx'
import { isRecoveryCode, isTotpCode } from './factor-rules.ts'
import { verifyByCode, verifyByPasskey, verifyByRecoveryCode } from './queries.ts'
import { useFactorFailure } from './use-factor-failure.ts'

interface FactorChallengeProps {
  /** The user's second factors. */
  kinds: readonly FactorKind[]
  onVerified: (session: SessionState) => void
}

type Method = FactorKind | 'recovery_code'

/** Verifies a second factor of the user: a passkey, a code of an authenticator app, or a recovery code. */
export function FactorChallenge({ kinds, onVerified }: FactorChallengeProps) {
  const t = useTranslations('factor.challenge')
  const methods: readonly Method[] = [...kinds, 'recovery_code']
  const [chosen, setChosen] = useState<Method | null>(null)
  const method = chosen ?? methods[0] ?? 'recovery_code'
  return (
    <Stack gap={14}>
      <SegmentedControl
        label={t('method')}
        fill
        value={method}
        choices={methods.map((value) => ({ value, label: t(`methods.${value}`) }))}
        onChange={setChosen}
      />
      {method === 'passkey' && <ByPasskey onVerified={onVerified} />}
      {method === 'totp' && <ByCode key="totp" kind="totp" onVerified={onVerified} />}
      {method === 'recovery_code' && <ByCode key="recovery_code" kind="recovery_code" onVerified={onVerified} />}
    </Stack>
  )
}

function ByPasskey({ onVerified }: Pick<FactorChallengeProps, 'onVerified'>) {
  const t = useTranslations('factor.challenge')
  const action = useSend(verifyByPasskey)
  const failure = useFactorFailure(action)
  const verify = async (): Promise<void> => {
    const verified = await action.run()
    if (verified) onVerified(verified.result)
  }
  return (
    <>
      <Intro most="68ch">{t('passkey_text')}</Intro>
      {failure !== null && <Alert kind="bad">{failure}</Alert>}
      <Button
        isWide
        data-confirms
        isBusy={action.isBusy}
        icon={<IconFingerprint size={20} stroke={1.75} aria-hidden="true" />}
        onClick={() => void verify()}
      >
        {t('passkey_submit')}
      </Button>
    </>
  )
}

interface ByCodeProps extends Pick<FactorChallengeProps, 'onVerified'> {
  kind: 'totp' | 'recovery_code'
}

function ByCode({ kind, onVerified }: ByCodeProps) {
  const t = useTranslations('factor.challenge')
  const { isBusy, failure, run } = useSend(kind === 'totp' ? verifyByCode : verifyByRecoveryCode)
  const isRight = kind === 'totp' ? isTotpCode : isRecoveryCode
  const fields = useForm({
    initial: { code: '' },
    check: ({ code }) => ({ code: isRight(code) ? null : t(`problem.${kind}`) }),
    send: async ({ code }) => {
      const verified = await run(code.trim())
      if (verified) onVerified(verified.result)
      // A refused code cannot be used again.
      else fields.reset()
    },
  })
  const props = fields.propsOf('code')
  return (
    <Stack as="form" noValidate gap={14} aria-label={t(`methods.${kind}`)} onSubmit={fields.submit}>
      <TextInput
        {...props}
        error={props.error ?? failure}
        label={t(`label.${kind}`)}
        description={t(`text.${kind}`)}
        autoComplete={kind === 'totp' ? 'one-time-code' : 'off'}
        inputMode={kind === 'totp' ? 'numeric' : 'text'}
        autoCapitalize="characters"
        spellCheck={false}
        maxLength={kind === 'totp' ? 6 : 50}
      />
      <Button type="submit" isWide isBusy={isBusy}>
        {t('submit')}
      </Button>
    </Stack>
  )
}
