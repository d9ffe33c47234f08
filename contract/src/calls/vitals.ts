export const reportVitals = { name: 'reportVitals', method: 'POST', path: '/megalot/vitals' } as const
