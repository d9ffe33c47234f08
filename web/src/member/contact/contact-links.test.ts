import { expect, test } from 'vitest'
import { lineHref, phoneHref } from './contact-links.ts'

test('a LINE id leads to its account, and a phone number is dialled without its separators', () => {
  expect(lineHref('agent.one')).toBe('https://line.me/R/ti/p/~agent.one')
  expect(lineHref('@agent')).toBe('https://line.me/R/ti/p/%40agent')
  expect(phoneHref('+66 81-234 5678')).toBe('tel:+66812345678')
})
