import { definePage } from '../../../lib/page/define-page.ts'
import { readTicketsSearch } from './tickets-search.ts'

export const ticketsPage = definePage({
  path: '/tickets',
  needs: 'tickets.view',
  messages: ['bills', 'tickets'],
  search: readTicketsSearch,
  component: async () => (await import('./tickets-page.tsx')).TicketsPage,
})

export const ticketPage = definePage({
  path: '/bills/$order_id',
  needs: 'tickets.view',
  messages: ['bills', 'tickets'],
  component: async () => (await import('./ticket-page.tsx')).TicketPage,
})
