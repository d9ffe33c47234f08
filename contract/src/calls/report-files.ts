export const createReportFile = { name: 'createReportFile', method: 'POST', path: '/api/report/files' } as const
export const listReportFiles = { name: 'listReportFiles', method: 'GET', path: '/api/report/files' } as const
export const getReportFile = { name: 'getReportFile', method: 'GET', path: '/api/report/files/:file_id' } as const
