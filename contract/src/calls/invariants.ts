export const listInvariantBreaks = {
  name: 'listInvariantBreaks',
  method: 'GET',
  path: '/api/invariants/breaks',
} as const
