// The cookie that identifies a known browser. It authorises nothing: it only gives the browser's failed attempts a
// separate count.

// For the types of `cookies` and `setCookie`.
import '@fastify/cookie'
import type { FastifyReply } from 'fastify'
import type { AttemptOrigin } from './log-in.service.ts'

const NAME = 'megalot_device'
const LIFE_S = 180 * 86_400

/** The origin of a call: the browser's token, where it has the right form. */
export function originOf({ request }: FastifyReply): AttemptOrigin {
  const device = request.cookies[NAME]
  return { device: /^[A-Za-z0-9_-]{43}$/.test(device ?? '') ? device : undefined }
}

export function setDeviceCookie(reply: FastifyReply, device: string): void {
  reply.setCookie(NAME, device, {
    path: '/megalot/auth',
    httpOnly: true,
    sameSite: 'strict',
    // Over plain HTTP, as in the demo, the browser would not return a secure cookie.
    secure: reply.request.protocol === 'https',
    maxAge: LIFE_S,
  })
}
