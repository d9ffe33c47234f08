import { definePage } from '../../lib/page/define-page.ts'
import { readBillFilters } from './bill-filters.ts'

export const billsPage = definePage({
  path: '/bills',
  needs: 'tickets.view',
  messages: ['bills'],
  search: readBillFilters,
  prefetch: async ({ search }) => [(await import('./queries.ts')).billsQuery(search)],
  component: async () => (await import('./bills-page.tsx')).BillsPage,
})

export const deletedBillsPage = definePage({
  path: '/bills/deleted',
  needs: 'tickets.view',
  messages: ['bills'],
  search: readBillFilters,
  prefetch: async ({ search }) => [(await import('./queries.ts')).deletedBillsQuery(search)],
  component: async () => (await import('./bills-page.tsx')).DeletedBillsPage,
})

export const printBillPage = definePage({
  path: '/bills/$order_id',
  needs: 'tickets.view',
  messages: ['bills', 'print'],
  component: async () => (await import('./print-bill-page.tsx')).PrintBillPage,
})
