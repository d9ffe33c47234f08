import { RouterProvider } from '@tanstack/react-router'
import { IntlProvider } from 'use-intl'
import { useLanguageStore } from '../lib/i18n/language-store.ts'
import { router } from './router.tsx'

export function App() {
  const { language, messages } = useLanguageStore()
  return (
    // Pages load their own areas before they render, so to them every area is there.
    <IntlProvider locale={language} messages={messages} timeZone="Asia/Bangkok">
      <RouterProvider router={router} />
    </IntlProvider>
  )
}
