export const listOutstanding = { name: 'listOutstanding', method: 'GET', path: '/api/report/outstanding' } as const
export const listTypeSums = { name: 'listTypeSums', method: 'GET', path: '/api/report/types' } as const
export const listWinners = { name: 'listWinners', method: 'GET', path: '/api/report/winners' } as const
export const listChangedTickets = {
  name: 'listChangedTickets',
  method: 'GET',
  path: '/api/report/changed_tickets',
} as const
