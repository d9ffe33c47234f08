import { MantineProvider, localStorageColorSchemeManager } from '@mantine/core'
import { RouterProvider } from '@tanstack/react-router'
import { IntlProvider } from 'use-intl'
import { useLanguageStore } from '../lib/i18n/language-store.ts'
import { COLOUR_SCHEME_KEY } from '../lib/device/storage-keys.ts'
import { theme } from '../ui/theme.ts'
import { router } from './router.tsx'

const colorSchemeManager = localStorageColorSchemeManager({ key: COLOUR_SCHEME_KEY })

export function App() {
  const { language, messages } = useLanguageStore()
  return (
    // The provider writes all of Mantine's variables itself: the style sheet of their defaults would be 4 kB more to fetch.
    <MantineProvider
      theme={theme}
      defaultColorScheme="auto"
      colorSchemeManager={colorSchemeManager}
      deduplicateCssVariables={false}
    >
      {/* Pages load their own areas before they render, so to them every area is there. */}
      <IntlProvider locale={language} messages={messages} timeZone="Asia/Bangkok">
        <RouterProvider router={router} />
      </IntlProvider>
    </MantineProvider>
  )
}
