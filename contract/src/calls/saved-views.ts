export const listViews = { name: 'listViews', method: 'GET', path: '/api/admin/views' } as const
export const saveView = { name: 'saveView', method: 'POST', path: '/api/admin/views' } as const
export const shareView = { name: 'shareView', method: 'POST', path: '/api/admin/views/share' } as const
export const dropView = { name: 'dropView', method: 'POST', path: '/api/admin/views/drop' } as const
