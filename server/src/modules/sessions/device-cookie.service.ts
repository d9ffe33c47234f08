// The cookie by which a browser is known again. It opens nothing: it only gives its wrong tries a count of their own.

// For the types of `cookies` and `setCookie`.
import '@fastify/cookie'
import type { FastifyReply } from 'fastify'
import type { TryPlace } from './sessions.service.ts'

const NAME = 'megalot_device'
const LIFE_S = 180 * 86_400

/** Where a call comes from: its address and, if it is of the right form, the browser's token. */
export function placeOf({ request }: FastifyReply): TryPlace {
  const device = request.cookies[NAME]
  return { address: request.ip, device: /^[A-Za-z0-9_-]{43}$/.test(device ?? '') ? device : undefined }
}

export function giveDevice(reply: FastifyReply, device: string): void {
  reply.setCookie(NAME, device, {
    path: '/megalot/auth',
    httpOnly: true,
    sameSite: 'strict',
    // Over plain HTTP, as in the demo, a secure cookie would not come back.
    secure: reply.request.protocol === 'https',
    maxAge: LIFE_S,
  })
}
