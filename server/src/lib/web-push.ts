// Web push (RFC 8030): messages to browsers through the push service of their maker, encrypted for the browser
// (RFC 8291) and signed with the house's key (VAPID, RFC 8292).

import { createECDH, hkdfSync } from 'node:crypto'
import webPush from 'web-push'

export interface PushTarget {
  /** The browser's address at its push service. */
  endpoint: string
  /** The browser's public key and its secret, in base64url. */
  p256dh: string
  auth: string
}

export interface PushMessage {
  /** Up to 32 characters of base64url. An undelivered message with the same topic is replaced. */
  topic: string
  /** How long the push service keeps the message for a browser that is offline. */
  ttlSeconds: number
  text: string
}

/**
 * - `gone`: the push service no longer knows the subscription
 * - `later`: the message was certainly not accepted, and may be later
 */
export type PushOutcome = 'accepted' | 'gone' | 'later'

/** @throws Error if the message is lost: it was refused, or no reply came */
export type SendPush = (target: PushTarget, message: PushMessage) => Promise<PushOutcome>

export interface WebPush {
  /** For `PushManager.subscribe`: the uncompressed point in base64url. */
  publicKey: string
  send: SendPush
}

export interface WebPushOptions {
  /** The house's secret (`factor-key.ts`). */
  secret: Buffer
  /** Where the push service's operator finds the sender. */
  publicUrl: string
  /** How the push service is called. */
  fetch?: typeof globalThis.fetch
  timeoutMs?: number
}

/** Total time limit of the push service, in ms. */
const TIMEOUT_MS = 5_000
/** The order of the curve P-256. */
const P256_ORDER = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n
/** Failures of a connection that was never made. */
const UNCONNECTED = ['ENOTFOUND', 'EAI_AGAIN', 'ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH', 'UND_ERR_CONNECT_TIMEOUT']

export function openWebPush({
  secret,
  publicUrl,
  fetch = globalThis.fetch,
  timeoutMs = TIMEOUT_MS,
}: WebPushOptions): WebPush {
  const keys = deriveVapidKeys(secret)
  const subject = publicUrl.startsWith('https://') ? publicUrl : 'mailto:no-reply@localhost'
  const seal = ({ endpoint, p256dh, auth }: PushTarget, { topic, ttlSeconds, text }: PushMessage) =>
    webPush.generateRequestDetails({ endpoint, keys: { p256dh, auth } }, text, {
      vapidDetails: { subject, ...keys },
      contentEncoding: 'aes128gcm',
      TTL: ttlSeconds,
      urgency: 'high',
      topic,
    })
  const send: SendPush = async (target, message) => {
    let sealed: ReturnType<typeof seal>
    try {
      sealed = seal(target, message)
    } catch {
      // The browser's keys are no keys.
      return 'gone'
    }
    let status: number
    try {
      const reply = await fetch(target.endpoint, {
        method: 'POST',
        headers: sealed.headers,
        body: new Uint8Array(sealed.body),
        redirect: 'manual',
        signal: AbortSignal.timeout(timeoutMs),
      })
      // Only the status counts; the body is not read.
      await reply.body?.cancel()
      status = reply.status
    } catch (error) {
      const { code } = ((error as Error).cause ?? {}) as { code?: string }
      if (code !== undefined && UNCONNECTED.includes(code)) return 'later'
      throw new Error('The push service did not answer', { cause: error })
    }
    if (status >= 200 && status <= 299) return 'accepted'
    if (status === 404 || status === 410) return 'gone'
    if (status === 429 || status >= 500) return 'later'
    throw new Error(`The push service answered ${status}`)
  }
  return { publicKey: keys.publicKey, send }
}

/**
 * The house's key pair, the same on each node and after each start. Derived, so that it needs no setting of its own and
 * is never in the database.
 */
function deriveVapidKeys(secret: Buffer): { publicKey: string; privateKey: string } {
  // 128 bits more than the order, so that the remainder is uniform.
  const wide = Buffer.from(hkdfSync('sha256', secret, '', 'megalot web push', 48))
  const scalar = (BigInt(`0x${wide.toString('hex')}`) % (P256_ORDER - 1n)) + 1n
  const pair = createECDH('prime256v1')
  const privateKey = Buffer.from(scalar.toString(16).padStart(64, '0'), 'hex')
  pair.setPrivateKey(privateKey)
  return { publicKey: pair.getPublicKey('base64url'), privateKey: privateKey.toString('base64url') }
}
