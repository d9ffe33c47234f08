import '@mantine/core/styles/baseline.css'
import '@mantine/core/styles/global.css'
import './ui/global.css'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from './app/app.tsx'
import { router } from './app/router.tsx'
import { currentLanguage } from './lib/language-store.ts'
import { loadLetters } from './lib/letters.ts'
import { followOtherTabs } from './lib/session-store.ts'

document.documentElement.lang = currentLanguage()
followOtherTabs()
loadLetters((then) => void router.subscribe('onRendered', then))

createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <App />
  </StrictMode>,
)
