// Web push (RFC 8030): messages to browsers through the push service of their maker, encrypted for the browser
// (RFC 8291) and signed with the house's key (VAPID, RFC 8292).

import { createECDH, hkdfSync } from 'node:crypto'
import { lookup, type LookupAddress } from 'node:dns'
import { request } from 'node:https'
import { BlockList, isIP, type LookupFunction } from 'node:net'
import webPush from 'web-push'

export interface PushTarget {
  /** `https://…`, given by the browser */
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
 * - `refused`: the push service will never accept this message
 * - `unknown`: the message was sent, and no reply came
 */
export type PushOutcome = 'accepted' | 'gone' | 'refused' | 'unknown'

/** @throws Error if the message was certainly not accepted and may be later; the caller has to retry */
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
  /** A certificate accepted instead of the system's. */
  ca?: string
  /** Resolves the push service's name. Defaults to public addresses only. */
  lookup?: LookupFunction
  timeoutMs?: number
}

/** Total time limit of the push service, in ms. */
const TIMEOUT_MS = 5_000
/** The order of the curve P-256. */
const P256_ORDER = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n

export function openWebPush({
  secret,
  publicUrl,
  ca,
  lookup = lookupPublic,
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
    const { headers, body } = sealed
    const status = await post(target.endpoint, { headers, body, ca, lookup, timeoutMs })
    if (status === null) return 'unknown'
    if (status >= 200 && status <= 299) return 'accepted'
    if (status === 404 || status === 410) return 'gone'
    if (status === 429 || status >= 500) throw new Error(`The push service answered ${status}`)
    return 'refused'
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

interface Posted {
  headers: NodeJS.Dict<string | number>
  body: Buffer | null
  ca: string | undefined
  lookup: LookupFunction
  timeoutMs: number
}

/**
 * @returns the status; null if the message may have arrived and no reply came
 * @throws Error if no connection was made
 */
function post(url: string, { headers, body, ca, lookup, timeoutMs }: Posted): Promise<number | null> {
  return new Promise((resolve, reject) => {
    // A name is looked up and checked; an address would not be.
    if (isIP(new URL(url).hostname.replaceAll(/[[\]]/g, '')) !== 0) throw new Error('The push service has no name')
    let isConnected = false
    const call = request(
      url,
      {
        method: 'POST',
        ...(ca === undefined ? {} : { ca }),
        agent: false,
        lookup,
        signal: AbortSignal.timeout(timeoutMs),
        headers,
      },
      (reply) => {
        resolve(reply.statusCode ?? null)
        // Only the status counts; the body is not read.
        reply.destroy()
      },
    )
    call.on('socket', (socket) => socket.once('secureConnect', () => (isConnected = true)))
    call.on('error', (error) => (isConnected ? resolve(null) : reject(error)))
    call.end(body)
  })
}

/** Networks that are not the internet's: a browser names any host, and must not reach ours through the server. */
const privateNetworks = new BlockList()
for (const network of [
  ...['0.0.0.0/8', '10.0.0.0/8', '100.64.0.0/10', '127.0.0.0/8', '169.254.0.0/16', '172.16.0.0/12', '192.0.0.0/24'],
  ...['192.0.2.0/24', '192.168.0.0/16', '198.18.0.0/15', '198.51.100.0/24', '203.0.113.0/24', '224.0.0.0/3'],
]) {
  const [address, prefix] = network.split('/') as [string, string]
  privateNetworks.addSubnet(address, Number(prefix), 'ipv4')
}
/** Of IPv6 only what is assigned to the internet, without the ranges that lead to IPv4 or to documentation. */
const publicNetworks = new BlockList()
publicNetworks.addSubnet('2000::', 3, 'ipv6')
for (const [address, prefix] of [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
] as const)
  privateNetworks.addSubnet(address, prefix, 'ipv6')

export function isPublicAddress({ address, family }: LookupAddress): boolean {
  if (family === 6 && !publicNetworks.check(address, 'ipv6')) return false
  return !privateNetworks.check(address, family === 6 ? 'ipv6' : 'ipv4')
}

/** Checked at each connection, because a name may resolve differently each time. */
const lookupPublic: LookupFunction = (hostname, options, callback) => {
  lookup(hostname, { ...options, all: true }, (error, addresses) => {
    const found = error ? [] : addresses.filter(isPublicAddress)
    const [first] = found
    if (first === undefined) callback(error ?? new Error('The push service has no public address'), '')
    else if (options.all) callback(null, found)
    else callback(null, first.address, first.family)
  })
}
