import '../ui/global.css'
import { StrictMode, startTransition } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from './app.tsx'
import { router } from './router.tsx'
import { preloadPage } from './boot.ts'
import { followTheme } from '../lib/device/color-scheme.ts'
import { addAreas, currentLanguage, keepLanguageCookie } from '../lib/i18n/language-store.ts'
import { startVitals } from '../lib/page/start-vitals.ts'
import { loadWebFont } from '../lib/page/web-font.ts'
import { watchPersonActivity } from '../lib/session/person-activity.ts'
import { followOtherTabs } from '../lib/session/session-store.ts'
import { removeFrameAfterPage } from '../ui/static-frame.ts'

/** By this delay, in ms, the first page and its prefetches have loaded. */
const SERVICE_WORKER_AFTER_MS = 6_000

function startServiceWorkerLater(): void {
  setTimeout(
    () => void import('../lib/device/service-worker.ts').then(({ startServiceWorker }) => startServiceWorker()),
    SERVICE_WORKER_AFTER_MS,
  )
}

addAreas(import.meta.glob<{ messages: object }>('./**/*.{th,en}.ts'))
document.documentElement.lang = currentLanguage()
keepLanguageCookie(currentLanguage())
followTheme()
preloadPage()
followOtherTabs()
watchPersonActivity(window)
if (import.meta.env.PROD && 'serviceWorker' in navigator) startServiceWorkerLater()

loadWebFont((then) => void router.subscribe('onRendered', then))
removeFrameAfterPage((then) => void router.subscribe('onRendered', then))
startVitals(router, '')

/** In a task of its own: with the application's modules it is one of 50 ms on a cheap phone, which no finger can interrupt. */
function render(): void {
  const root = createRoot(document.getElementById('root')!)
  // In a transition React renders in slices: a finger that scrolls meanwhile is not kept waiting.
  startTransition(() =>
    root.render(
      <StrictMode>
        <App />
      </StrictMode>,
    ),
  )
}

setTimeout(render)
