export const listTimetables = { name: 'listTimetables', method: 'GET', path: '/api/product/timetables' } as const
export const previewTimetable = {
  name: 'previewTimetable',
  method: 'POST',
  path: '/api/admin/product/:product_code/timetable/preview',
} as const
export const setHoliday = { name: 'setHoliday', method: 'POST', path: '/api/admin/product/holiday' } as const
export const listCalendarWarnings = {
  name: 'listCalendarWarnings',
  method: 'GET',
  path: '/api/product/calendar_warnings',
} as const
export const setDrawDay = {
  name: 'setDrawDay',
  method: 'POST',
  path: '/api/admin/product/:product_code/draw_day',
} as const
