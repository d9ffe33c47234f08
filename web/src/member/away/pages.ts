import { definePage } from '../../lib/page/define-page.ts'
import { readBack } from '../../lib/page/addresses.ts'

export const logInStepsPage = definePage({
  path: '/auth/steps',
  needs: 'visitor',
  messages: ['factor', 'account'],
  search: readBack,
  component: async () => (await import('../auth/log-in-steps-page.tsx')).LogInStepsPage,
})

export const maintenancePage = definePage({
  path: '/maintenance',
  needs: 'visitor',
  messages: ['away'],
  search: readBack,
  component: async () => (await import('./maintenance-page.tsx')).MaintenancePage,
})

export const offlinePage = definePage({
  path: '/offline',
  needs: 'visitor',
  messages: ['away'],
  search: readBack,
  component: async () => (await import('./offline-page.tsx')).OfflinePage,
})

export const notFoundPage = definePage({
  path: '/error/404',
  needs: 'visitor',
  messages: ['away'],
  component: async () => (await import('./not-found-page.tsx')).NotFoundPage,
})

export const helpPage = definePage({
  path: '/help',
  needs: 'visitor',
  messages: ['manual'],
  component: async () => (await import('./help-page.tsx')).HelpPage,
})
