// The steps after the password: a second factor, then replacing a one-time password.

import type { SessionState } from '@megalot/contract'
import { getRouteApi, redirect, useNavigate } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { useTranslations } from 'use-intl'
import { OwnPasswordForm } from './own-password-form.tsx'
import { AuthFrame } from '../../shared/account/auth-frame.tsx'
import { FactorChallenge } from '../../shared/second-factor/factor-challenge.tsx'
import { fetchSessionState } from '../../shared/second-factor/queries.ts'
import { ENROLMENT_HREF } from '../../lib/page/addresses.ts'
import { useSession } from '../../lib/session/session-store.ts'
import { endSession } from '../../lib/user/log-off.ts'
import { Button } from '../../ui/button.tsx'
import { findFirstFocus } from '../../ui/first-focus.ts'
import { Stack } from '../../ui/layout.tsx'

const route = getRouteApi('/auth/steps')

/** How far the session is, which may end with the call. Without one the guard has led to the log-in page. */
export async function loadSteps(): Promise<SessionState> {
  try {
    return await fetchSessionState()
  } catch (error) {
    if (useSession.getState().session_token === null) throw redirect({ to: '/auth/login', replace: true })
    throw error
  }
}

/** Each step begins in its first field. */
function focusFirst(step: HTMLDivElement | null): void {
  if (step !== null) findFirstFocus(step)?.focus()
}

export function LogInStepsPage() {
  const { back } = route.useSearch()
  const loaded = route.useLoaderData()
  const [session, setSession] = useState(loaded)
  const t = useTranslations('factor.log_in')
  const navigate = useNavigate()
  const hasSession = useSession(({ session_token }) => session_token !== null)
  const isComplete = !session.must_verify_factor && !session.must_change_password

  // The session may end by itself when it was idle.
  useEffect(() => {
    if (!hasSession) void navigate({ to: '/auth/login', search: back === undefined ? {} : { back }, replace: true })
  }, [hasSession, navigate, back])
  useEffect(() => {
    if (!isComplete || !hasSession) return
    useSession.setState({ pending_step: null })
    void navigate({ href: session.must_enrol ? ENROLMENT_HREF : (back ?? '/'), replace: true })
  }, [isComplete, hasSession, navigate, back, session.must_enrol])

  const isFactor = session.must_verify_factor
  return (
    <AuthFrame title={t(isFactor ? 'factor_title' : 'password_title')}>
      <Stack key={String(isFactor)} ref={focusFirst} gap={16} above={12}>
        <p>{t(isFactor ? 'factor_text' : 'password_text')}</p>
        {isFactor && <FactorChallenge kinds={session.factor_kinds} onVerified={setSession} />}
        {!isFactor && session.must_change_password && (
          <OwnPasswordForm onDone={() => setSession({ ...session, must_change_password: false })} />
        )}
        <Button variant="subtle" onClick={() => void endSession()}>
          {t('other_user')}
        </Button>
      </Stack>
    </AuthFrame>
  )
}
