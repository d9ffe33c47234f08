// The forms of registration and of a new password. Each function names the first problem of a field, or null.

import { AGENT_CODE_FORM } from '@megalot/contract/browser'
import { findEmailProblem } from '../../lib/forms/email-form.ts'
import { findUsernameProblem } from './login-rules.ts'

export type CredentialProblem =
  | 'required'
  | 'agent_code_form'
  | 'username_form'
  | 'username_short'
  | 'username_long'
  | 'display_name_long'
  | 'email_form'
  | 'phone_form'
  | 'password_length'
  | 'password_mismatch'
  | 'captcha_length'

type Found = CredentialProblem | null

/** Of a username or a mail address, which has an @. */
export function findIdentifierProblem(identifier: string): Found {
  if (identifier.includes('@')) return findEmailProblem(identifier)
  const name = findUsernameProblem(identifier.trim())
  return name === 'username_required' ? 'required' : name
}

export function findNewPasswordProblem(password: string): Found {
  if (password === '') return 'required'
  return password.length < 4 || password.length > 100 ? 'password_length' : null
}

export function findConfirmProblem(password: string, confirm_password: string): Found {
  if (confirm_password === '') return 'required'
  return password === confirm_password ? null : 'password_mismatch'
}

export const registrationFields = {
  agent_code: '',
  username: '',
  display_name: '',
  email: '',
  phone: '',
  password: '',
  confirm_password: '',
  captcha_txt: '',
}
export type RegistrationField = keyof typeof registrationFields

/** @param isByWork work stands for the picture */
export function findRegistrationProblems(
  values: Record<RegistrationField, string>,
  isByWork: boolean,
): Record<RegistrationField, Found> {
  const name = findUsernameProblem(values.username.trim())
  const phone = values.phone.trim()
  return {
    agent_code: formProblem(values.agent_code.trim(), AGENT_CODE_FORM, 'agent_code_form'),
    username: name === 'username_required' ? 'required' : name,
    display_name: formProblem(values.display_name.trim(), /^.{1,100}$/su, 'display_name_long'),
    email: values.email.trim() === '' ? null : findEmailProblem(values.email),
    phone: phone === '' || /^\+?[0-9][0-9 -]{4,18}$/.test(phone) ? null : 'phone_form',
    password: findNewPasswordProblem(values.password),
    confirm_password: findConfirmProblem(values.password, values.confirm_password),
    captcha_txt: isByWork ? null : formProblem(values.captcha_txt, /^.{4}$/s, 'captcha_length'),
  }
}

function formProblem(value: string, form: RegExp, problem: CredentialProblem): Found {
  if (value === '') return 'required'
  return form.test(value) ? null : problem
}
