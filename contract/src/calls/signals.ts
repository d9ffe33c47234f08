export const listSignals = { name: 'listSignals', method: 'GET', path: '/api/signals' } as const
