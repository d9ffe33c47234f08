export const listAudit = { name: 'listAudit', method: 'GET', path: '/api/admin/audit' } as const
export const exportAudit = { name: 'exportAudit', method: 'GET', path: '/api/admin/audit_csv' } as const
