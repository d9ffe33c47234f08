export const listReadiness = { name: 'listReadiness', method: 'GET', path: '/api/readiness' } as const
export const sendTestMail = { name: 'sendTestMail', method: 'POST', path: '/api/readiness/mail' } as const
