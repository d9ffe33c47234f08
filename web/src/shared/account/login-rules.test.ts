import { expect, test } from 'vitest'
import { findCaptchaProblem, findPasswordProblem, findUsernameProblem } from './login-rules.ts'

test('a username is 2 to 255 English letters or digits', () => {
  expect(findUsernameProblem('')).toBe('username_required')
  expect(findUsernameProblem('a')).toBe('username_short')
  expect(findUsernameProblem('ab')).toBeNull()
  expect(findUsernameProblem('a'.repeat(255))).toBeNull()
  expect(findUsernameProblem('a'.repeat(256))).toBe('username_long')
  for (const wrong of ['สมชาย', 'a b', 'a_b', 'é1', '๑๒']) expect(findUsernameProblem(wrong)).toBe('username_form')
})

test('a password has 4 to 100 characters of any kind', () => {
  expect(findPasswordProblem('')).toBe('password_required')
  expect(findPasswordProblem('abc')).toBe('password_length')
  expect(findPasswordProblem('ab ง')).toBeNull()
  expect(findPasswordProblem('x'.repeat(100))).toBeNull()
  expect(findPasswordProblem('x'.repeat(101))).toBe('password_length')
})

test('the picture code has exactly 4 characters', () => {
  expect(findCaptchaProblem('')).toBe('captcha_required')
  expect(findCaptchaProblem('abc')).toBe('captcha_length')
  expect(findCaptchaProblem('abcd')).toBeNull()
  expect(findCaptchaProblem('abcde')).toBe('captcha_length')
})
