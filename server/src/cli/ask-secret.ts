/**
 * A secret that must not be in the shell's history: the password of who signs in, a code of its second factor, or the
 * password of a new user.
 */
export type Secret = 'password' | 'factor_code' | 'new_password'
export type AskSecret = (question: string, secret: Secret) => Promise<string>
