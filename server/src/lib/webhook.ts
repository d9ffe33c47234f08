// Outgoing calls to an operator's URL: HTTPS, a signed body, no redirects.

import { createHmac } from 'node:crypto'
import { request } from 'node:https'

export interface WebhookOptions {
  /** `https://…` */
  url: string
  /** Shared with the receiver, who verifies the signature. */
  secret: string
  /** A certificate accepted instead of the system's. */
  ca?: string
  timeoutMs?: number
}

/** @throws Error if the receiver has not accepted it; the caller has to retry */
export type CallWebhook = (delivery: { id: string; body: object }) => Promise<void>

/** Total time limit of the receiver, in ms. */
const TIMEOUT_MS = 5_000

/**
 * Posts JSON. `megalot-delivery` identifies the delivery and is the same in a repeat. `megalot-signature` is
 * `t=SECONDS,v1=HEX`: the HMAC-SHA-256 of `SECONDS.BODY` with the secret.
 */
export function openWebhook({ url, secret, ca, timeoutMs = TIMEOUT_MS }: WebhookOptions): CallWebhook {
  return async ({ id, body }) => {
    const text = JSON.stringify(body)
    const status = await new Promise<number>((resolve, reject) => {
      const call = request(
        url,
        {
          method: 'POST',
          ...(ca === undefined ? {} : { ca }),
          agent: false,
          signal: AbortSignal.timeout(timeoutMs),
          headers: {
            'content-type': 'application/json',
            'content-length': Buffer.byteLength(text),
            'megalot-delivery': id,
            'megalot-signature': signBody(text, secret, Math.floor(Date.now() / 1_000)),
          },
        },
        (reply) => {
          reply.on('error', reject)
          // Only the status counts; the body is not read.
          reply.destroy()
          resolve(reply.statusCode ?? 0)
        },
      )
      call.on('error', reject)
      call.end(text)
    })
    if (status < 200 || status > 299) throw new Error(`The webhook answered ${status}`)
  }
}

export function signBody(body: string, secret: string, seconds: number): string {
  return `t=${seconds},v1=${createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex')}`
}
