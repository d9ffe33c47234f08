export const listNotices = { name: 'listNotices', method: 'GET', path: '/api/notice/list' } as const
export const readNotices = { name: 'readNotices', method: 'POST', path: '/api/notice/read' } as const
