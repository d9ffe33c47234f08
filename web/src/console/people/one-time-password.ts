/** No letters and digits that look alike when somebody reads them from a screen. */
const SIGNS = 'abcdefghjkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789'
const LENGTH = 14

/** A password for one log-in, from the browser's own source of randomness. */
export function makeOneTimePassword(): string {
  // Values above the last multiple would make the first signs likelier than the others.
  const limit = Math.floor(256 / SIGNS.length) * SIGNS.length
  let password = ''
  while (password.length < LENGTH) {
    for (const value of crypto.getRandomValues(new Uint8Array(LENGTH)))
      if (value < limit && password.length < LENGTH) password += SIGNS[value % SIGNS.length]
  }
  return password
}
