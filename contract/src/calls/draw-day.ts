export const listDayPeriods = { name: 'listDayPeriods', method: 'GET', path: '/api/draw_day/periods' } as const
export const listCalendar = { name: 'listCalendar', method: 'GET', path: '/api/draw_day/calendar' } as const
