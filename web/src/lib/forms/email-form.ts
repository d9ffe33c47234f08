/** The first problem of a mail address, or null. */
export function findEmailProblem(email: string): 'required' | 'email_form' | null {
  if (email.trim() === '') return 'required'
  // As much of the form as keeps mail from going astray; the server has the last word.
  return /^[!-?A-~]+@[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)+$/.test(email.trim()) ? null : 'email_form'
}
