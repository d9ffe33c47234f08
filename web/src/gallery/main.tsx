import '@fontsource-variable/noto-sans-thai-looped/index.css'
import '../ui/global.css'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { Gallery } from './gallery.tsx'

createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <Gallery />
  </StrictMode>,
)
