import { expect, test } from 'vitest'
import { makeOneTimePassword } from './one-time-password.ts'

test('has four groups of four letters, and is another one each time', () => {
  const made = Array.from({ length: 200 }, makeOneTimePassword)
  for (const password of made) expect(password).toMatch(/^[a-hjkmnp-z2-9]{4}(-[a-hjkmnp-z2-9]{4}){3}$/)
  expect(new Set(made).size).toBe(200)
})
