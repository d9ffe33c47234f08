import { WEB_VERSION, syncSession } from '@megalot/contract'
import { useEffect } from 'react'
import { useTranslations } from 'use-intl'
import { callRoute } from '../../lib/http-client.ts'
import { toRefusal } from '../../lib/refusal.ts'
import { showToast } from '../../lib/toast.ts'

const EVERY_MS = 300_000
const RELOAD_AFTER_MS = 1_000

/** Every five minutes: is this web still the one the server serves? If not, say so and load the new one. */
export function useKeepAlive(): void {
  const t = useTranslations('shell.update')
  useEffect(() => {
    const reload = (): void => {
      showToast('bad', `${t('title')} · ${t('text')}`)
      setTimeout(() => window.location.reload(), RELOAD_AFTER_MS)
    }
    const timer = setInterval(() => {
      callRoute(syncSession, { query: { version: WEB_VERSION, gui: 'user' } }).then(
        ({ guiVersion }) => {
          if (guiVersion !== WEB_VERSION) reload()
        },
        (error: unknown) => {
          if (toRefusal(error).code === 'old_version') reload()
        },
      )
    }, EVERY_MS)
    return () => clearInterval(timer)
  }, [t])
}
