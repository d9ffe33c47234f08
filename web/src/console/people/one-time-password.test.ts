import { expect, test } from 'vitest'
import { makeOneTimePassword } from './one-time-password.ts'

test('one-time passwords have 14 signs that nobody mistakes for others, and differ', () => {
  const made = Array.from({ length: 500 }, makeOneTimePassword)
  for (const password of made) expect(password).toMatch(/^[a-hjkmnp-zA-HJ-NP-Z2-9]{14}$/)
  expect(new Set(made).size).toBe(500)
})
