/**
 * Asks for a secret that must not be in the shell's history: a password, a code of a second factor, or a new user's
 * password.
 */
export type Secret = 'password' | 'factor_code' | 'new_password'
export type AskSecret = (question: string, secret: Secret) => Promise<string>
