import '../ui/global.css'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { CONSOLE_BASE } from '@megalot/contract/browser'
import { RouterProvider } from '@tanstack/react-router'
import { IntlProvider } from 'use-intl'
import { followTheme } from '../lib/device/color-scheme.ts'
import { addAreas, currentLanguage, keepLanguageCookie, useLanguageStore } from '../lib/i18n/language-store.ts'
import { focusPage } from '../lib/page/restore-focus.ts'
import { startVitals } from '../lib/page/start-vitals.ts'
import { loadWebFont } from '../lib/page/web-font.ts'
import { watchPersonActivity } from '../lib/session/person-activity.ts'
import { followOtherTabs } from '../lib/session/session-store.ts'
import { consoleRouter } from './router.tsx'

function Console() {
  const { language, messages } = useLanguageStore()
  return (
    <IntlProvider locale={language} messages={messages} timeZone="Asia/Bangkok">
      <RouterProvider router={consoleRouter} />
    </IntlProvider>
  )
}

addAreas(import.meta.glob<{ messages: object }>('./**/*.{th,en}.ts'))
document.documentElement.lang = currentLanguage()
keepLanguageCookie(currentLanguage())
followTheme()
followOtherTabs()
watchPersonActivity(window)
consoleRouter.subscribe('onRendered', ({ fromLocation, pathChanged }) => {
  if (fromLocation !== undefined && pathChanged) focusPage()
})
loadWebFont((then) => void consoleRouter.subscribe('onRendered', then))
startVitals(consoleRouter, CONSOLE_BASE)

createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <Console />
  </StrictMode>,
)
