export const getOwnLists = { name: 'getOwnLists', method: 'GET', path: '/mgluser/own_lists' } as const
export const keepOwnEntry = { name: 'keepOwnEntry', method: 'POST', path: '/mgluser/own_lists' } as const
export const dropOwnEntry = { name: 'dropOwnEntry', method: 'POST', path: '/mgluser/own_lists/drop' } as const
