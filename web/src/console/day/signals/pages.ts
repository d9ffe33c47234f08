import { definePage } from '../../../lib/page/define-page.ts'
import { permissionsOfSignals } from '@megalot/contract/browser'
import { readSignalsSearch } from './signals-search.ts'

export const signalsPage = definePage({
  path: '/signals',
  needs: permissionsOfSignals,
  messages: ['signals', 'audit'],
  search: readSignalsSearch,
  component: async () => (await import('./signals-page.tsx')).SignalsPage,
})
