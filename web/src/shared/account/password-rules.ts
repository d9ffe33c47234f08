// The form of a change of password (the specification's §5).

export type PasswordProblem = 'required' | 'length' | 'mismatch'
type Values = Record<'old_password' | 'new_password' | 'confirm_password', string>

/** The first problem of every field, or null. */
export function findPasswordProblems({ old_password, new_password, confirm_password }: Values) {
  const isRight = new_password.length >= 4 && new_password.length <= 100
  return {
    old_password: unlessEmpty(old_password, null),
    new_password: unlessEmpty(new_password, isRight ? null : 'length'),
    confirm_password: unlessEmpty(confirm_password, new_password === confirm_password ? null : 'mismatch'),
  }
}

function unlessEmpty(value: string, problem: PasswordProblem | null): PasswordProblem | null {
  return value === '' ? 'required' : problem
}
