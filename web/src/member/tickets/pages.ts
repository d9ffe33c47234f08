import { definePage } from '../../lib/page/define-page.ts'

export const billPage = definePage({
  path: '/bills/$order_id',
  needs: 'member',
  messages: ['bills', 'decision'],
  prefetch: async ({ params }) => [
    (await import('../../shared/tickets/orders/queries.ts')).orderQuery(params.order_id),
  ],
  component: async () => (await import('./member-bill-page.tsx')).MemberBillPage,
})
