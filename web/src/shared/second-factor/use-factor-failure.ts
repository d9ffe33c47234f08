import { useTranslations } from 'use-intl'
import type { Sending } from '../../lib/forms/use-send.ts'
import { PasskeyNotUsed } from './passkey-not-used.ts'

/** Why an action with a second factor failed: the server's message or the device's error. */
export function useFactorFailure({
  error,
  failure,
}: Pick<Sending<never, unknown>, 'error' | 'failure'>): string | null {
  const t = useTranslations('factor.passkey_failure')
  return error instanceof PasskeyNotUsed ? t(error.why) : failure
}
