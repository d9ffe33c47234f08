// The form of a log-in (the specification's §5). Each function names the first problem of a field, or null.

export type UsernameProblem = 'username_required' | 'username_form' | 'username_short' | 'username_long'
export type PasswordProblem = 'password_required' | 'password_length'
export type CaptchaProblem = 'captcha_required' | 'captcha_length'

export function findUsernameProblem(username: string): UsernameProblem | null {
  if (username === '') return 'username_required'
  if (!/^[A-Za-z0-9]*$/.test(username)) return 'username_form'
  if (username.length < 2) return 'username_short'
  return username.length > 255 ? 'username_long' : null
}

export function findPasswordProblem(password: string): PasswordProblem | null {
  if (password === '') return 'password_required'
  return password.length < 4 || password.length > 100 ? 'password_length' : null
}

export function findCaptchaProblem(captcha_txt: string): CaptchaProblem | null {
  if (captcha_txt === '') return 'captcha_required'
  return captcha_txt.length === 4 ? null : 'captcha_length'
}

export type Field = 'username' | 'password' | 'captcha_txt'

/** The first problem of every field. @param isByWork work stands for the picture */
export function findProblems(values: Record<Field, string>, isByWork = false) {
  return {
    username: findUsernameProblem(values.username.trim()),
    password: findPasswordProblem(values.password),
    captcha_txt: isByWork ? null : findCaptchaProblem(values.captcha_txt),
  }
}
