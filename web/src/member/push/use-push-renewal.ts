import { useEffect } from 'react'
import { PUSH_KEY } from '../../lib/device/storage-keys.ts'
import { readStoredText } from '../../lib/device/stored-value.ts'
import { currentLanguage } from '../../lib/i18n/language-store.ts'

/** Renews pushes at each visit, on a browser on which somebody has switched them on. */
export function usePushRenewal(user_id: number): void {
  useEffect(() => {
    if (readStoredText(PUSH_KEY) === null) return
    import('../../lib/user/push.ts').then(
      ({ renewPush }) => renewPush(user_id, currentLanguage()),
      () => {},
    )
  }, [user_id])
}
