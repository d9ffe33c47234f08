import { definePage } from '../../lib/page/define-page.ts'

export const manualPage = definePage({
  path: '/manual',
  needs: 'everyone',
  messages: ['manual'],
  component: async () => (await import('./manual-page.tsx')).ManualPage,
})

export const importHelpPage = definePage({
  path: '/manual/import',
  needs: 'everyone',
  messages: ['manual'],
  component: async () => (await import('./import-help-page.tsx')).ImportHelpPage,
})
