// The gallery of `npm run gallery`: an entry of its own, which the built product does not contain.

import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { designTokens } from './design-tokens.ts'
import { icons } from './icons.ts'

export default defineConfig({
  plugins: [react(), icons(), designTokens()],
  optimizeDeps: { entries: ['gallery.html'] },
  build: { rolldownOptions: { input: 'gallery.html' }, emptyOutDir: true },
})
