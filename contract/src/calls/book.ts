export const readBook = { name: 'readBook', method: 'GET', path: '/api/book/:period_code' } as const
export const readBookResults = {
  name: 'readBookResults',
  method: 'GET',
  path: '/api/book/:period_code/results',
} as const
