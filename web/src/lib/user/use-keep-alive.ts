import type { QueryOf, Rows } from '@megalot/contract'
import { WEB_VERSION, syncSession } from '@megalot/contract/browser'
import { useEffect } from 'react'
import { delay } from './current-user.ts'
import { callRoute } from '../api/http-client.ts'
import { toRefusal } from '../errors/refusal.ts'
import { RELOADED_FOR_KEY } from '../device/storage-keys.ts'
import { readStoredText } from '../device/stored-value.ts'
import { showToast } from '../feedback/toast.ts'

const EVERY_MS = 300_000
const RELOAD_AFTER_MS = 1_000

interface OtherVersion {
  version: string
  /** The server's message; null if it only names its version. */
  message: string | null
}

/** Which of the two web applications this is. */
type Gui = QueryOf<Rows['syncSession']>['gui']

/** The server's version where it is not this web's. */
async function findOtherVersion(gui: Gui): Promise<OtherVersion | null> {
  try {
    const { guiVersion } = await callRoute(syncSession, { query: { version: WEB_VERSION, gui } })
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
    if (readStoredText(RELOADED_FOR_KEY, () => sessionStorage) === version) return false
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
export function useKeepAlive(gui: Gui, texts: { title: string; text: string; still: string }): void {
  const { title, text, still } = texts
  useEffect(() => {
    let isLeaving = false
    const look = async (): Promise<void> => {
      const other = isLeaving ? null : await findOtherVersion(gui)
      if (other === null || isLeaving) return
      if (!noteReload(other.version)) {
        showToast('bad', `${title} · ${still}`)
        return
      }
      isLeaving = true
      showToast('bad', `${title} · ${other.message || text}`)
      const { updateServiceWorker } = await import('../device/service-worker.ts')
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
  }, [gui, title, text, still])
}
