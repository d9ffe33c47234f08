import { definePage } from '../../lib/page/define-page.ts'
import { readBillFilters } from './bill-filters.ts'

export const billsPage = definePage({
  path: '/bills',
  needs: 'member',
  messages: ['bills'],
  search: readBillFilters,
  prefetch: async ({ search }) => [(await import('./queries.ts')).billsQuery(search)],
  component: async () => (await import('./bills-page.tsx')).BillsPage,
})

export const deletedBillsPage = definePage({
  path: '/bills/deleted',
  needs: 'member',
  messages: ['bills'],
  search: readBillFilters,
  prefetch: async ({ search }) => [(await import('./queries.ts')).deletedBillsQuery(search)],
  component: async () => (await import('./bills-page.tsx')).DeletedBillsPage,
})

export const billPage = definePage({
  path: '/bills/$order_id',
  needs: 'member',
  messages: ['bills', 'decision', 'push'],
  prefetch: async ({ params }) => [
    (await import('../../shared/tickets/orders/queries.ts')).orderQuery(params.order_id),
  ],
  component: async () => (await import('./member-bill-page.tsx')).MemberBillPage,
})
