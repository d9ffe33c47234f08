import { expect, test } from 'vitest'
import { rateStrength } from './password-strength.ts'

test.each([
  ['', 'weak'],
  ['abc', 'weak'],
  ['kx7q-ma', 'weak'],
  ['12345678', 'weak'],
  ['0812345678', 'weak'],
  ['abcdefghijkl', 'weak'],
  ['aaaaaaaaaaaaaaaa', 'weak'],
  ['somchai-26-lot', 'weak'],
  ['kx7q-map', 'fair'],
  ['ดวงดีปีใหม่', 'fair'],
  ['maplemapleleaf', 'fair'],
  ['kx7q-maple-26', 'strong'],
  ['กล้วยหอม-ทอด-26', 'strong'],
])('the password %j is %s', (password, strength) => {
  expect(rateStrength(password, 'somchai')).toBe(strength)
})
