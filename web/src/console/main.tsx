import '@mantine/core/styles/baseline.css'
import '@mantine/core/styles/global.css'
import '../ui/global.css'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { MantineProvider, localStorageColorSchemeManager } from '@mantine/core'
import { RouterProvider } from '@tanstack/react-router'
import { IntlProvider } from 'use-intl'
import { COLOUR_SCHEME_KEY } from '../lib/device/storage-keys.ts'
import { currentLanguage, useLanguageStore } from '../lib/i18n/language-store.ts'
import { loadWebFont } from '../lib/page/web-font.ts'
import { watchPersonActivity } from '../lib/session/person-activity.ts'
import { followOtherTabs } from '../lib/session/session-store.ts'
import { theme } from '../ui/theme.ts'
import { consoleRouter } from './router.tsx'

const colorSchemeManager = localStorageColorSchemeManager({ key: COLOUR_SCHEME_KEY })

function Console() {
  const { language, messages } = useLanguageStore()
  return (
    <MantineProvider
      theme={theme}
      defaultColorScheme="auto"
      colorSchemeManager={colorSchemeManager}
      deduplicateCssVariables={false}
    >
      <IntlProvider locale={language} messages={messages} timeZone="Asia/Bangkok">
        <RouterProvider router={consoleRouter} />
      </IntlProvider>
    </MantineProvider>
  )
}

document.documentElement.lang = currentLanguage()
followOtherTabs()
watchPersonActivity(window)
loadWebFont((then) => void consoleRouter.subscribe('onRendered', then))

createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <Console />
  </StrictMode>,
)
