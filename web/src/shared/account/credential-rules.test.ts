import { expect, test } from 'vitest'
import { findEmailProblem } from '../../lib/forms/email-form.ts'
import { findIdentifierProblem, findRegistrationProblems, registrationFields } from './credential-rules.ts'

const right = {
  agent_code: 'agent01',
  username: 'somchai1',
  display_name: 'สมชาย ใจดี',
  email: 'somchai@example.com',
  phone: '',
  password: 'demo1234',
  confirm_password: 'demo1234',
  captcha_txt: 'abcd',
}

test('a form that is right has no problem, and an empty one has one in every field that is required', () => {
  expect(Object.values(findRegistrationProblems(right, false)).filter((problem) => problem !== null)).toEqual([])
  const { phone, email, ...others } = findRegistrationProblems(registrationFields, false)
  expect([phone, email]).toEqual([null, null])
  expect(new Set(Object.values(others))).toEqual(new Set(['required']))
})

test.each([
  ['agent_code', 'abc', 'agent_code_form'],
  ['username', 'สมชาย', 'username_form'],
  ['username', 'a', 'username_short'],
  ['display_name', 'ก'.repeat(101), 'display_name_long'],
  ['email', 'somchai', 'email_form'],
  ['phone', 'call me', 'phone_form'],
  ['password', 'abc', 'password_length'],
  ['confirm_password', 'demo12345', 'password_mismatch'],
  ['captcha_txt', 'abc', 'captcha_length'],
] as const)('%s "%s" is %s', (field, value, problem) => {
  expect(findRegistrationProblems({ ...right, [field]: value }, false)[field]).toBe(problem)
})

test('work that is done stands for the picture', () => {
  expect(findRegistrationProblems({ ...right, captcha_txt: '' }, true).captcha_txt).toBeNull()
})

test('an address with spaces around it is still one, with a line in it none', () => {
  expect(findEmailProblem(' a@b.co ')).toBeNull()
  for (const wrong of ['a@b', '@b.co', 'a b@c.de', 'a@b.co\nx', 'ก@b.co'])
    expect(findEmailProblem(wrong)).toBe('email_form')
})

test('a forgotten password is asked for by username or mail address', () => {
  for (const right of ['somchai1', ' somchai1 ', 'somchai@example.com']) expect(findIdentifierProblem(right)).toBeNull()
  expect(['', 'สมชาย', 'a', 'somchai@'].map(findIdentifierProblem)).toEqual([
    ...['required', 'username_form', 'username_short', 'email_form'],
  ])
})
