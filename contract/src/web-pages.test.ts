// Server and service worker pick the same page for a path, in the language of the device's cookie.

import { expect, test } from 'vitest'
import {
  fileOfWebPage,
  isConsolePath,
  languageOfCookie,
  languageOfCookies,
  LANGUAGE_COOKIE,
  SECURE_LANGUAGE_COOKIE,
  webPageOf,
} from './web-pages.ts'

test.each([
  ['/', 'index'],
  ['/auth/login', 'index'],
  ['/auth/register', 'index'],
  ['/error/404', 'index'],
  ['/authors', 'inside'],
  ['/bet/thai-government', 'bet'],
  ['/bets', 'inside'],
  ['/bills', 'inside'],
  ['/office/bet/x', 'inside'],
] as const)('%s is served as %s', (pathname, page) => {
  expect(webPageOf(pathname)).toBe(page)
})

test.each([
  ['/console', true],
  ['/console/', true],
  ['/console/people/7', true],
  ['/consoles', false],
  ['/', false],
  ['/bills/console', false],
])('whether %s belongs to the console: %s', (pathname, expected) => {
  expect(isConsolePath(pathname)).toBe(expected)
})

test('a page has one file per language, and Thai is the default', () => {
  expect(fileOfWebPage('bet', 'th')).toBe('bet.html')
  expect(fileOfWebPage('bet', 'en')).toBe('bet.en.html')
})

test("a cookie's language is one of the two", () => {
  expect(languageOfCookie('en')).toBe('en')
  for (const value of [undefined, '', 'th', 'EN', '../en', 'fr']) expect(languageOfCookie(value)).toBe('th')
})

test('the cookie header is read by the exact cookie name', () => {
  expect(languageOfCookies(`a=1; ${LANGUAGE_COOKIE}=en; b=2`)).toBe('en')
  expect(languageOfCookies(`${LANGUAGE_COOKIE}=en`)).toBe('en')
  expect(languageOfCookies(`x${LANGUAGE_COOKIE}=en; other=${LANGUAGE_COOKIE}=en`)).toBe('th')
  expect(languageOfCookies(undefined)).toBe('th')
})

test('over TLS, a cookie set over plain HTTP is ignored', () => {
  expect(languageOfCookies(`${LANGUAGE_COOKIE}=th; ${SECURE_LANGUAGE_COOKIE}=en`)).toBe('en')
  expect(languageOfCookies(`${LANGUAGE_COOKIE}=en; ${SECURE_LANGUAGE_COOKIE}=th`)).toBe('th')
})
