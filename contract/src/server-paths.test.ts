import { expect, test } from 'vitest'
import { routes } from './routes/index.ts'
import { isServerPath } from './server-paths.ts'

test('every route of the contract is answered by the server', () => {
  expect(Object.values(routes).filter(({ path }) => !isServerPath(path))).toEqual([])
})

test.each(['/', '/bet/lao', '/api-manual', '/live-results', '/bills'])('%s is a page', (pathname) => {
  expect(isServerPath(pathname)).toBe(false)
})

test.each(['/api', '/api/order/create', '/megalot/x', '/ready'])('%s is no page', (pathname) => {
  expect(isServerPath(pathname)).toBe(true)
})
