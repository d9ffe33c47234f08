import { definePage } from '../../lib/page/define-page.ts'

export const printBillPage = definePage({
  path: '/bills/$order_id',
  needs: 'tickets.view',
  messages: ['bills', 'print'],
  component: async () => (await import('./print-bill-page.tsx')).PrintBillPage,
})
