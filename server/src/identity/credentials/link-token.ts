import { hash, randomBytes } from 'node:crypto'

/** The stored form of a mailed link's token. */
export function hashToken(token: string): Buffer {
  return hash('sha256', token, 'buffer')
}

/** A token for a mailed link, with its stored form. */
export function makeLinkToken(): { token: string; tokenHash: Buffer } {
  const token = randomBytes(32).toString('base64url')
  return { token, tokenHash: hashToken(token) }
}

/** A link with its token in the URL's fragment, so that it reaches neither a server's log nor another site. */
export function linkOf(publicUrl: string, path: string, token: string): string {
  return `${publicUrl}${path}#token=${token}`
}
