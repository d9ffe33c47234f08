// The cookie that identifies a known browser. It authorises nothing: it only gives the browser a separate count of
// failed attempts.

// For the types of `cookies` and `setCookie`.
import '@fastify/cookie'
import type { FastifyReply } from 'fastify'
import type { AttemptOrigin } from './log-in.service.ts'

/**
 * Over TLS no other host and no page over plain HTTP can set a cookie with this prefix. Over plain HTTP, as in the
 * demo, the browser would reject it.
 */
const SECURE_NAME = '__Host-megalot_device'
const NAME = 'megalot_device'
const LIFE_S = 180 * 86_400

/** Longer than any browser's. */
const MAX_USER_AGENT = 300

/** The origin of a call: its address, the browser's user agent and, if well-formed, its token. */
export function originOf({ request }: FastifyReply): AttemptOrigin {
  const device = request.cookies[request.protocol === 'https' ? SECURE_NAME : NAME]
  return {
    address: request.ip,
    user_agent: readUserAgent(request.headers['user-agent']),
    device: /^[A-Za-z0-9_-]{43}$/.test(device ?? '') ? device : undefined,
  }
}

/** Any text can be sent as a user agent, so only printable ASCII is kept. */
function readUserAgent(text: string | undefined): string | null {
  return text?.replaceAll(/[^ -~]/g, '').slice(0, MAX_USER_AGENT) || null
}

export function setDeviceCookie(reply: FastifyReply, device: string): void {
  const isSecure = reply.request.protocol === 'https'
  reply.setCookie(isSecure ? SECURE_NAME : NAME, device, {
    path: isSecure ? '/' : '/megalot/auth',
    httpOnly: true,
    sameSite: 'strict',
    secure: isSecure,
    maxAge: LIFE_S,
  })
}
