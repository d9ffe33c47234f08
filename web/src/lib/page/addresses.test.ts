import { expect, test } from 'vitest'
import { betPath, billPath, consoleHref, isAuthPath, isReturnPath, readBetPath } from './addresses.ts'

test('an address of a market is read as it is written', () => {
  expect(betPath('lao-vip')).toBe('/bet/lao-vip')
  expect(readBetPath(betPath('lao-vip'))).toBe('lao-vip')
  expect(billPath(7)).toBe('/bills/7')
})

test.each(['/', '/bet', '/bet/', '/bet/lao/more', '/bets/lao'])('%s is no bet page', (pathname) => {
  expect(readBetPath(pathname)).toBeUndefined()
})

test.each([
  ['/auth', true],
  ['/auth/login', true],
  ['/authors', false],
  ['/', false],
])('%s belongs to the way in: %s', (pathname, expected) => {
  expect(isAuthPath(pathname)).toBe(expected)
})

test.each(['/', '/bet/lao?period=lao-1', '/bills/7#items', '/maintenance-plan'])(
  'a log-in may return to %s',
  (href) => {
    expect(isReturnPath(href)).toBe(true)
  },
)

test.each([
  'https://elsewhere.example',
  '//elsewhere.example',
  '/\\elsewhere.example',
  '/auth/login',
  '/auth/login?back=%2F',
  '/maintenance?back=%2F',
  '/offline',
  7,
  undefined,
])('a log-in does not return to %s', (href) => {
  expect(isReturnPath(href)).toBe(false)
})

test.each([
  ['/', '/console'],
  ['/bet/lao?view=latest', '/console'],
  ['/auth/login', '/console'],
  ['/account/limits', '/console'],
  ['/bills?username=a', '/console/bills?username=a'],
  ['/print/reports/summary?date_from=2025-12-16', '/console/print/reports/summary?date_from=2025-12-16'],
  ['/office/bills?search=a', '/console/office/bills?search=a'],
  ['/console', '/console'],
  ['/console/people?search=a#b', '/console/people?search=a#b'],
  ['/consoles', '/console/consoles'],
])('who does not bet finds what %s shows at %s', (href, expected) => {
  expect(consoleHref(href)).toBe(expected)
})
