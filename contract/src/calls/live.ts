export const listenLive = { name: 'listenLive', method: 'GET', path: '/api/live' } as const
