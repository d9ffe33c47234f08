import { WEB_VERSION, syncSession } from '@megalot/contract'
import { useEffect } from 'react'
import { useTranslations } from 'use-intl'
import { delay } from '../../lib/user/current-user.ts'
import { callRoute } from '../../lib/api/http-client.ts'
import { toRefusal } from '../../lib/errors/refusal.ts'
import { RELOADED_FOR_KEY } from '../../lib/device/storage-keys.ts'
import { showToast } from '../../lib/feedback/toast.ts'

const EVERY_MS = 300_000
const RELOAD_AFTER_MS = 1_000

interface OtherVersion {
  version: string
  /** What the server says about it; null where it only names its version. */
  message: string | null
}

/** The server's version where it is not this web's. */
async function findOtherVersion(): Promise<OtherVersion | null> {
  try {
    const { guiVersion } = await callRoute(syncSession, { query: { version: WEB_VERSION, gui: 'user' } })
    return guiVersion === WEB_VERSION ? null : { version: guiVersion, message: null }
  } catch (error) {
    const { code, message, details } = toRefusal(error)
    return code === 'old_version' ? { version: String(details['guiVersion']), message } : null
  }
}

/**
 * Notes in this tab that it is loaded anew for a version. False where it was already, or where that cannot be noted: a
 * page that is still old after it was loaded anew would do so for ever.
 */
function noteReload(version: string): boolean {
  try {
    if (sessionStorage.getItem(RELOADED_FOR_KEY) === version) return false
    sessionStorage.setItem(RELOADED_FOR_KEY, version)
    return true
  } catch {
    return false
  }
}

/**
 * Every five minutes, and when a new build has come to this device: is this web still the one the server serves? If not
 * it says so, brings the service worker up to date, and loads the new one; draft slips are kept at every change anyway.
 */
export function useKeepAlive(): void {
  const t = useTranslations('shell.update')
  useEffect(() => {
    let isLeaving = false
    const look = async (): Promise<void> => {
      const other = isLeaving ? null : await findOtherVersion()
      if (other === null || isLeaving) return
      if (!noteReload(other.version)) {
        showToast('bad', `${t('title')} · ${t('still')}`)
        return
      }
      isLeaving = true
      showToast('bad', `${t('title')} · ${other.message || t('text')}`)
      const { updateServiceWorker } = await import('../../lib/device/service-worker.ts')
      await Promise.all([updateServiceWorker(), delay(RELOAD_AFTER_MS)])
      window.location.reload()
    }
    const lookNow = (): void => void look()
    const timer = setInterval(lookNow, EVERY_MS)
    // The first worker of a device is of this very build.
    const workers = navigator.serviceWorker?.controller ? navigator.serviceWorker : null
    workers?.addEventListener('controllerchange', lookNow)
    return () => {
      clearInterval(timer)
      workers?.removeEventListener('controllerchange', lookNow)
    }
  }, [t])
}
