import { hash, randomBytes } from 'node:crypto'

/** What is stored of the token in a mailed link. */
export function hashToken(token: string): Buffer {
  return hash('sha256', token, 'buffer')
}

/** A token for a mailed link, with what is stored of it. */
export function makeLinkToken(): { token: string; tokenHash: Buffer } {
  const token = randomBytes(32).toString('base64url')
  return { token, tokenHash: hashToken(token) }
}

/** A link with its token in the fragment of the URL, so that it reaches neither a server's log nor another site. */
export function linkOf(publicUrl: string, path: string, token: string): string {
  return `${publicUrl}${path}#token=${token}`
}
