/** Asks for a secret that must not be in the shell's history: a password, or a code of a second factor. */
export type Secret = 'password' | 'factor_code'
export type AskSecret = (question: string, secret: Secret) => Promise<string>
