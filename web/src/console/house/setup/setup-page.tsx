import type { FactorKind } from '@megalot/contract'
import { QueryClientProvider, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { AuthFrame } from '../../../shared/account/auth-frame.tsx'
import { findConfirmProblem } from '../../../shared/account/credential-rules.ts'
import { findUsernameProblem } from '../../../shared/account/login-rules.ts'
import { useLinkToken } from '../../../shared/account/use-link-token.ts'
import { ShownToasts } from '../../../shared/feedback/shown-toasts.tsx'
import { EnrolDialog } from '../../account/security/enrol-dialog.tsx'
import { factorsQuery, sessionStateQuery } from '../../../shared/second-factor/queries.ts'
import { queryClient } from '../../../lib/api/query-client.ts'
import { useSend } from '../../../lib/forms/use-send.ts'
import { inWords, useForm } from '../../../lib/forms/use-form.ts'
import { useSession } from '../../../lib/session/session-store.ts'
import { Alert } from '../../../ui/alert.tsx'
import { Button } from '../../../ui/button.tsx'
import { Stack } from '../../../ui/layout.tsx'
import { PasswordStrength } from '../../../ui/password-strength.tsx'
import { PasswordInput, TextInput } from '../../../ui/text-input.tsx'
import { makeFirstOwner } from './queries.ts'
import classes from './setup.module.css'

const OFFICE_PASSWORD_LENGTH = 12

/** The page of the set-up address: creates the first owner, then its second factor. Readiness shows the next steps. */
export function SetupPage() {
  const t = useTranslations('setup')
  const token = useLinkToken()
  const isSignedIn = useSession((session) => session.session_token !== null)
  const isReturning = isSignedIn && token === null
  const [hasMadeOwner, setHasMadeOwner] = useState(false)
  if (isReturning || hasMadeOwner)
    return (
      <QueryClientProvider client={queryClient}>
        <AuthFrame title={t('factor.title')}>
          <FactorStep />
        </AuthFrame>
        <ShownToasts />
      </QueryClientProvider>
    )
  return (
    <AuthFrame title={t('owner.title')}>
      {token === null ? (
        <Alert kind="bad">{t('owner.no_token')}</Alert>
      ) : (
        <OwnerForm token={token} onMade={() => setHasMadeOwner(true)} />
      )}
      <p className={classes.link}>
        <a href={'/auth/login'}>{t('owner.to_login')}</a>
      </p>
    </AuthFrame>
  )
}

const isBlank = (text: string): 'required' | null => (text.trim() === '' ? 'required' : null)

function OwnerForm({ token, onMade }: { token: string; onMade: () => void }) {
  const t = useTranslations('setup.owner')
  const credentials = useTranslations('credentials')
  const { isBusy, failure, run } = useSend(makeFirstOwner)
  const fields = useForm({
    initial: { house_name: '', display_name: '', username: '', password: '', confirm_password: '' },
    check: (values) =>
      inWords(
        {
          house_name: isBlank(values.house_name),
          display_name: isBlank(values.display_name),
          username: findUsernameProblem(values.username.trim()),
          password: values.password.length < OFFICE_PASSWORD_LENGTH ? 'password_short' : null,
          confirm_password: findConfirmProblem(values.password, values.confirm_password) as
            | 'required'
            | 'password_mismatch'
            | null,
        },
        (problem) => t(`problem.${problem}`),
      ),
    send: async ({ house_name, username, display_name, password }) => {
      const names = { house_name: house_name.trim(), username: username.trim(), display_name: display_name.trim() }
      if (await run({ token, password, ...names })) onMade()
    },
  })
  const toggle = { toggleLabel: credentials('show_password') }
  return (
    <Stack noValidate as="form" gap={16} above={16} aria-label={t('title')} onSubmit={fields.submit}>
      <p className={classes.text}>{t('text')}</p>
      <TextInput
        {...fields.propsOf('house_name')}
        label={t('house_name')}
        description={t('house_name_hint')}
        autoComplete="organization"
        maxLength={100}
      />
      <TextInput {...fields.propsOf('display_name')} label={t('display_name')} autoComplete="name" maxLength={100} />
      <TextInput
        {...fields.propsOf('username')}
        label={t('username')}
        description={t('username_hint')}
        autoComplete="username"
        autoCapitalize="none"
        autoCorrect="off"
        spellCheck={false}
        maxLength={255}
      />
      <PasswordInput
        {...fields.propsOf('password')}
        {...toggle}
        label={t('password')}
        description={t('password_hint')}
        autoComplete="new-password"
      />
      <PasswordStrength password={fields.values.password} username={fields.values.username} />
      <PasswordInput
        {...fields.propsOf('confirm_password')}
        {...toggle}
        label={t('confirm_password')}
        autoComplete="new-password"
      />
      {failure !== null && <Alert kind="bad">{failure}</Alert>}
      <Button type="submit" isWide isBusy={isBusy}>
        {t('submit')}
      </Button>
    </Stack>
  )
}

/** Enrols the first owner's second factor. An owner who left at this step can continue here. */
function FactorStep() {
  const t = useTranslations('setup.factor')
  const navigate = useNavigate()
  const { data } = useQuery(factorsQuery)
  const session = useQuery(sessionStateQuery)
  const [kind, setKind] = useState<FactorKind | null>(null)
  const hasFactor = (data?.factors.length ?? 0) > 0
  const isFree = hasFactor || session.data?.must_enrol === false
  return (
    <Stack gap={16} above={16}>
      <p className={classes.text}>{t('text')}</p>
      {!hasFactor && (
        <>
          <Button isWide data-factor="passkey" onClick={() => setKind('passkey')}>
            {t('passkey')}
          </Button>
          {data?.is_totp_available && (
            <Button isWide variant="default" data-factor="totp" onClick={() => setKind('totp')}>
              {t('totp')}
            </Button>
          )}
        </>
      )}
      {isFree && (
        <Button
          isWide
          variant={hasFactor ? 'filled' : 'default'}
          data-testid="setup-continue"
          onClick={() => void navigate({ to: '/readiness' })}
        >
          {t('continue')}
        </Button>
      )}
      <EnrolDialog kind={kind} onClose={() => setKind(null)} />
    </Stack>
  )
}
