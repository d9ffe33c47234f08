// Goal: a member is told once, on the browsers that it switched on, what happened to its own tickets; the push service
// learns nothing of it; no restart loses or doubles a push.

import {
  createDecipheriv,
  createECDH,
  createPublicKey,
  type ECDH,
  hkdfSync,
  randomBytes,
  randomUUID,
  verify,
} from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { sql } from 'kysely'
import { beforeEach, describe, expect, test } from 'vitest'
import { closeAtFileEnd } from '../../../test/file-end.ts'
import {
  agreeOnResult,
  codeOf,
  limitNumbers,
  makeLine,
  makeResult,
  makeTicket,
  openPeriod,
  placeTicket,
  placeWaitingTicket,
  settleWith,
} from '../../../test/scenes.ts'
import { FACTOR_KEY, startTestApp, type TestCaller } from '../../../test/test-app.ts'
import { closeEarly } from '../../../test/changes.ts'
import { openWebPush } from '../../lib/web-push.ts'
// The results are above this room.
// oxlint-disable-next-line eslint/no-restricted-imports
import { correctAward } from '../../results/corrections.service.ts'
import { settleDuePeriods } from '../../results/index.ts'
import { endAllSessions, endEverySession, endSessionsFromAbove } from '../sessions/index.ts'
import { queueResultPushes, sendDuePushes } from './index.ts'

const app = await startTestApp()

interface Received {
  path: string
  headers: NodeJS.Dict<string | string[]>
  body: Buffer
}
const received: Received[] = []
/** The status of the push service's next replies; null: it never replies. */
let answers: (number | null)[] = []

const service = createServer((request, reply) => {
  const pieces: Buffer[] = []
  request.on('data', (piece: Buffer) => pieces.push(piece))
  request.on('end', () => {
    received.push({ path: request.url!, headers: request.headers, body: Buffer.concat(pieces) })
    const status = answers.length > 0 ? answers.shift()! : 201
    if (status !== null) reply.writeHead(status, { location: '/elsewhere' }).end()
  })
})
await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve))
const { port } = service.address() as AddressInfo
closeAtFileEnd(async () => {
  service.closeAllConnections()
  service.close()
})

const HOST = 'https://fcm.googleapis.com'
/** Reaches the push service on this machine under its real name. */
const fetchLocally: typeof fetch = (url, options) => {
  if (typeof url !== 'string' || !url.startsWith(HOST)) throw new Error('another host was called')
  return fetch(url.replace(HOST, `http://127.0.0.1:${port}`), options)
}
const push = openWebPush({
  secret: Buffer.from(FACTOR_KEY, 'base64'),
  publicUrl: 'https://house.example.com',
  fetch: fetchLocally,
  timeoutMs: 500,
})

const sessionLifeMs = 24 * 3_600_000
const failures: string[] = []
const runNode = (send = push.send): Promise<void> =>
  sendDuePushes(app.db, { send, sessionLifeMs, onError: (error) => failures.push((error as Error).message) })

/** A browser, as its `PushManager` keeps it. */
interface Browser {
  keys: ECDH
  auth: Buffer
  body: { endpoint: string; keys: { p256dh: string; auth: string }; language: 'th' | 'en' }
}

function makeBrowser(language: 'th' | 'en' = 'th'): Browser {
  const keys = createECDH('prime256v1')
  keys.generateKeys()
  const auth = randomBytes(16)
  const endpoint = `${HOST}/fcm/send/${randomUUID()}`
  const p256dh = keys.getPublicKey('base64url')
  return { keys, auth, body: { endpoint, keys: { p256dh, auth: auth.toString('base64url') }, language } }
}

async function subscribe(member: TestCaller, language: 'th' | 'en' = 'th'): Promise<Browser> {
  const browser = makeBrowser(language)
  expect(codeOf(await member.post('/mgluser/push/subscribe', browser.body))).toBe('ok')
  return browser
}

/** Decrypts a message as its browser does (RFC 8188 and 8291), of one record. */
function decrypt({ keys, auth }: Browser, { body, headers }: Received): Record<string, string> {
  expect(headers['content-encoding']).toBe('aes128gcm')
  const salt = body.subarray(0, 16)
  const senderKey = body.subarray(21, 21 + body[20]!)
  const shared = keys.computeSecret(senderKey)
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), keys.getPublicKey(), senderKey])
  const secret = Buffer.from(hkdfSync('sha256', shared, auth, info, 32))
  const derive = (name: string, length: number) =>
    Buffer.from(hkdfSync('sha256', secret, salt, `Content-Encoding: ${name}\0`, length))
  const sealed = body.subarray(21 + body[20]!)
  const cipher = createDecipheriv('aes-128-gcm', derive('aes128gcm', 16), derive('nonce', 12))
  cipher.setAuthTag(sealed.subarray(-16))
  const padded = Buffer.concat([cipher.update(sealed.subarray(0, -16)), cipher.final()])
  // The delimiter of the last record, and padding.
  return JSON.parse(padded.subarray(0, padded.lastIndexOf(2)).toString()) as Record<string, string>
}

const of = ({ body: { endpoint } }: Browser): Received[] =>
  received.filter(({ path }) => path === new URL(endpoint).pathname)

const countQueued = async (): Promise<number> =>
  (await app.asOwner<{ n: number }>`select count(*)::int as n from pushes`).rows[0]!.n
const countSubscriptions = async (): Promise<number> =>
  (await app.asOwner<{ n: number }>`select count(*)::int as n from push_subscriptions`).rows[0]!.n

/** Runs nodes until nothing is queued. */
async function sendAll(): Promise<void> {
  do {
    await app.asOwner`update pushes set due_at = clock_timestamp() where due_at > clock_timestamp()`
    await runNode()
  } while ((await countQueued()) > 0)
}

let member: TestCaller
let period_code: string

beforeEach(async () => {
  received.length = 0
  failures.length = 0
  answers = []
  await app.asOwner`delete from push_subscriptions`
  await app.asOwner`delete from pushes`
  member = await app.logIn('member01')
  period_code = await openPeriod(app.owner)
})

describe('what is told', () => {
  test('the result of own tickets, once on each browser, encrypted and signed', async () => {
    const browsers = [await subscribe(member), await subscribe(member, 'en')]
    const other = await subscribe(await app.logIn('member02'))
    await placeTicket(member, makeTicket(period_code))
    await settleWith(app, period_code, makeResult('123'))
    await settleDuePeriods(app.db)
    await sendAll()

    expect(browsers.map((browser) => of(browser).length)).toEqual([1, 1])
    expect(of(other)).toEqual([])
    const [thai, english] = browsers.map((browser) => decrypt(browser, of(browser)[0]!))
    expect(thai).toMatchObject({ title: 'ผลหวยรัฐบาลไทยออกแล้ว', language: 'th' })
    expect(english).toMatchObject({ title: 'Thai government: the result is out', language: 'en' })
    expect(english!['path']).toBe(`/awards?date=${english!['path']!.slice(-10)}`)
    // Neither amounts nor numbers nor names: the ticket won 5,500 Baht.
    expect([thai!['body'], english!['body']]).toEqual(['คุณถูกรางวัล แตะเพื่อดู', 'You won. Tap to see it'])
    expect(JSON.stringify([thai, english].map((each) => [each!['title'], each!['body']]))).not.toMatch(/\d|member01/)

    const { headers } = of(browsers[0]!)[0]!
    expect(headers).toMatchObject({ ttl: '86400', urgency: 'high' })
    expect(headers['topic']).toMatch(/^[\w-]{32}$/)
    const { json } = await member.get('/mgluser/push/key')
    const [, token, key] = /^vapid t=([^,]+), k=(.+)$/.exec(String(headers['authorization']))!
    expect(key).toBe(json.data.public_key)
    const [head, claims, signature] = token!.split('.') as [string, string, string]
    const point = Buffer.from(key!, 'base64url')
    const [x, y] = [point.subarray(1, 33).toString('base64url'), point.subarray(33).toString('base64url')]
    const publicKey = createPublicKey({ key: { kty: 'EC', crv: 'P-256', x, y }, format: 'jwk' })
    const signed = { key: publicKey, dsaEncoding: 'ieee-p1363' } as const
    expect(verify('sha256', Buffer.from(`${head}.${claims}`), signed, Buffer.from(signature, 'base64url'))).toBe(true)
    expect(JSON.parse(Buffer.from(claims, 'base64url').toString())).toMatchObject({
      aud: HOST,
      sub: 'https://house.example.com',
    })
  })

  test('a correction, which replaces the result on the screen', async () => {
    const browser = await subscribe(member)
    await placeTicket(member, makeTicket(period_code))
    await settleWith(app, period_code, makeResult('999'))
    await sendAll()
    for (const username of ['office01', 'office02']) {
      const { user_id } = await app.logIn(username)
      await correctAward(
        app.db,
        { actor_id: user_id },
        { period_code, result: makeResult('123'), reason: 'read wrongly' },
      )
    }
    await settleDuePeriods(app.db)
    await sendAll()
    const [result, correction] = of(browser).map((each) => decrypt(browser, each))
    expect(of(browser)).toHaveLength(2)
    expect(result).toMatchObject({ body: 'งวดนี้ไม่ถูก แตะเพื่อดูผล' })
    expect(correction).toMatchObject({
      title: 'แก้ไขผลหวยรัฐบาลไทย',
      body: 'ตามผลใหม่ คุณถูกรางวัล แตะเพื่อดู',
      path: '/announcements',
      tag: result!['tag'],
    })
  })

  test('a ticket that waits for confirmation, unless it was answered at once', async () => {
    const browser = await subscribe(member)
    await limitNumbers(app.db, '1bottom', 500, 0)
    const ticket = () => makeTicket(period_code, { items: [makeLine('1bottom', '5', 10)] })
    const answered = await placeWaitingTicket(member, ticket())
    expect(codeOf(await member.post(`/api/order/${answered.order_id}/cancel`, answered))).toBe('ok')
    const waiting = await placeWaitingTicket(member, ticket())
    expect(await countQueued()).toBe(2)
    await runNode()
    expect(received).toEqual([])
    await sendAll()
    expect(of(browser)).toHaveLength(1)
    expect(decrypt(browser, of(browser)[0]!)).toMatchObject({ path: `/bills/${waiting.order_id}` })
    expect(Number(of(browser)[0]!.headers['ttl'])).toBeLessThanOrEqual(1_800)
  })

  test('nothing of a cause that was rolled back', async () => {
    await subscribe(member)
    await placeTicket(member, makeTicket(period_code))
    const { rows } = await app.asOwner<{ period_id: number }>`
      select period_id from periods where period_code = ${period_code}`
    const rolledBack = app.db.transaction().execute(async (tx) => {
      await queueResultPushes(tx, rows[0]!.period_id, undefined)
      throw new Error('rolled back')
    })
    await expect(rolledBack).rejects.toThrow('rolled back')
    expect(await countQueued()).toBe(0)
  })

  test('nothing to a suspended member, and nothing a day late', async () => {
    const browser = await subscribe(member)
    await placeTicket(member, makeTicket(period_code))
    await settleWith(app, period_code, makeResult('123'))
    await app.asOwner`update pushes set due_at = clock_timestamp() - interval '25 hours'`
    await sendAll()
    const next = await openPeriod(app.owner)
    await placeTicket(member, makeTicket(next))
    await settleWith(app, next, makeResult('123'))
    await app.asOwner`update users set own_status = 'SUSPENDED' where user_id = ${member.user_id}`
    await sendAll()
    await app.asOwner`update users set own_status = 'NORMAL' where user_id = ${member.user_id}`
    expect(of(browser)).toEqual([])
  })
})

describe('restarts and failures', () => {
  async function queueOne(): Promise<Browser> {
    const browser = await subscribe(member)
    await placeTicket(member, makeTicket(period_code))
    await closeEarly(app.db, period_code)
    await agreeOnResult(app, period_code, makeResult('123'))
    await settleDuePeriods(app.db)
    expect(await countQueued()).toBe(1)
    return browser
  }

  test('what was queued while no node ran is sent by the next one, and not again', async () => {
    const browser = await queueOne()
    await sendAll()
    await sendAll()
    expect(of(browser)).toHaveLength(1)
  })

  test('a push whose node died before it was recorded is not sent again', async () => {
    const browser = await queueOne()
    let release!: () => void
    const dead = new Promise<void>((resolve) => (release = resolve))
    let noteSent!: () => void
    const sent = new Promise<void>((resolve) => (noteSent = resolve))
    const dying = runNode(async (target, message) => {
      const outcome = await push.send(target, message)
      noteSent()
      // The process ends here.
      await dead
      return outcome
    })
    await sent
    await sendAll()
    expect(of(browser)).toHaveLength(1)
    release()
    await dying
  })

  test('nodes that look at once send each push once', async () => {
    const browsers = [await queueOne(), ...(await Promise.all([1, 2, 3, 4].map(() => subscribe(member))))]
    await app.asOwner`insert into pushes (subscription_id, kind, subject_id)
      select s.subscription_id, kind, subject_id from push_subscriptions s cross join pushes p
      where s.subscription_id <> p.subscription_id`
    await Promise.all([runNode(), runNode(), runNode()])
    expect(browsers.map((browser) => of(browser).length)).toEqual([1, 1, 1, 1, 1])
  })

  test('a node that stops leaves the rest to the next one', async () => {
    const browser = await queueOne()
    await sendDuePushes(app.db, { send: push.send, sessionLifeMs, onError: () => {}, isStopping: () => true })
    expect(received).toEqual([])
    await sendAll()
    expect(of(browser)).toHaveLength(1)
  })

  test('a push that is not accepted for now is sent later', async () => {
    answers = [503, 429, 201]
    const browser = await queueOne()
    await runNode()
    await runNode()
    expect(of(browser)).toHaveLength(1)
    await sendAll()
    expect(of(browser)).toHaveLength(3)
    expect(failures).toEqual([])
    expect(await countSubscriptions()).toBe(1)
  })

  test('a push is given up after five tries', async () => {
    answers = Array.from({ length: 10 }, () => 500)
    const browser = await queueOne()
    await sendAll()
    expect(of(browser)).toHaveLength(5)
  })

  test('a push service that cannot be reached is tried later', async () => {
    const browser = await queueOne()
    const unreachable = openWebPush({
      secret: randomBytes(32),
      publicUrl: '',
      fetch: () => fetch('https://push-service.invalid/'),
    })
    await runNode(unreachable.send)
    expect(await countQueued()).toBe(1)
    await sendAll()
    expect(of(browser)).toHaveLength(1)
  })

  test('without a reply nobody knows whether it arrived, so it is not sent again', async () => {
    answers = [null]
    const browser = await queueOne()
    await sendAll()
    expect(of(browser)).toHaveLength(1)
    expect(failures).toEqual(['The push service did not answer'])
  })

  test.each([404, 410])('%s ends the subscription', async (status) => {
    answers = [status]
    await queueOne()
    await sendAll()
    expect(received).toHaveLength(1)
    expect(await countSubscriptions()).toBe(0)
  })

  test.each([413, 307])('%s drops the push and keeps the subscription', async (status) => {
    answers = [status]
    await queueOne()
    await sendAll()
    expect(received).toHaveLength(1)
    expect(failures).toEqual([`The push service answered ${status}`])
    expect(await countSubscriptions()).toBe(1)
  })
})

describe('subscriptions', () => {
  test('end with the log-out of their browser', async () => {
    await subscribe(member)
    await subscribe(await app.logIn('member02'))
    expect(codeOf(await member.post('/megalot/auth/logoff'))).toBe('ok')
    expect(await countSubscriptions()).toBe(1)
  })

  test('end with a new password, and when the upline ends the session', async () => {
    await subscribe(member)
    await app.db.transaction().execute((tx) => endAllSessions(tx, member.user_id))
    expect(await countSubscriptions()).toBe(0)
    const again = await app.logIn('member01')
    await subscribe(again)
    await app.db.transaction().execute((tx) => endSessionsFromAbove(tx, [member.user_id]))
    expect(await countSubscriptions()).toBe(0)
  })

  test('end with a log-in elsewhere, and move to the next session and to its member', async () => {
    const { body } = await subscribe(member)
    const again = await app.logIn('member01')
    expect(await countSubscriptions()).toBe(0)
    expect(codeOf(await member.post('/mgluser/push/subscribe', body))).toBe('session_replaced')
    expect(codeOf(await again.post('/mgluser/push/subscribe', body))).toBe('ok')
    const other = await app.logIn('member02')
    expect(codeOf(await other.post('/mgluser/push/subscribe', body))).toBe('ok')
    const { rows } = await app.asOwner<{ user_id: number }>`select user_id from push_subscriptions`
    expect(rows).toEqual([{ user_id: other.user_id }])
  })

  test('bring nothing of a former member', async () => {
    const { body } = await subscribe(member)
    await placeTicket(member, makeTicket(period_code))
    await settleWith(app, period_code, makeResult('123'))
    const other = await app.logIn('member02')
    expect(codeOf(await other.post('/mgluser/push/subscribe', body))).toBe('ok')
    await sendAll()
    expect(received).toEqual([])
  })

  test('bring nothing after the log-out', async () => {
    await subscribe(member)
    await placeTicket(member, makeTicket(period_code))
    await settleWith(app, period_code, makeResult('123'))
    expect(await countQueued()).toBe(1)
    expect(codeOf(await member.post('/megalot/auth/logoff'))).toBe('ok')
    await sendAll()
    expect(received).toEqual([])
  })

  const idle = async (): Promise<void> => {
    await app.asOwner`update sessions set last_active_at = clock_timestamp() - interval '2 hours'
      where user_id = ${member.user_id}`
    expect(codeOf(await member.get('/mgluser/push/key'))).toBe('session_expired')
  }
  const endByAgent = async (): Promise<void> => {
    const agent = await app.logIn('agent01')
    const ended = await agent.post(`/mgluser/downline/${member.user_id}/sessions/end`, { reason: 'a lost phone' })
    expect(codeOf(ended)).toBe('ok')
  }
  const endAs = async (reason: string): Promise<void> =>
    void (await app.asOwner`update sessions set ended_at = clock_timestamp(), end_reason = ${reason}
      where user_id = ${member.user_id} and ended_at is null`)

  test('outlast idleness, because a result comes hours after a bet', async () => {
    const browser = await subscribe(member)
    await placeTicket(member, makeTicket(period_code))
    await idle()
    await settleWith(app, period_code, makeResult('123'))
    await sendAll()
    expect(of(browser)).toHaveLength(1)
    expect(await countSubscriptions()).toBe(1)
  })

  test.each([
    ['a log-in elsewhere', () => app.logIn('member01')],
    ['the end by an agent', endByAgent],
    ['a log-in elsewhere after idleness', () => idle().then(() => app.logIn('member01'))],
    ['the end by an agent after idleness', () => idle().then(endByAgent)],
    ['the end of all sessions', () => app.db.transaction().execute((tx) => endEverySession(tx))],
  ])('end with %s', async (_how, end: () => Promise<unknown>) => {
    await subscribe(member)
    await placeTicket(member, makeTicket(period_code))
    await end()
    expect(await countSubscriptions()).toBe(0)
    await settleWith(app, period_code, makeResult('123'))
    await sendAll()
    expect(received).toEqual([])
  })

  test.each([
    ['was suspended', () => endAs('suspended')],
    ['was replaced', () => endAs('replaced')],
    [
      'is a day old',
      () => app.asOwner`update sessions set created_at = clock_timestamp() - interval '24 hours 1 minute'
        where user_id = ${member.user_id}`,
    ],
  ])('bring nothing of a session that %s, and are removed', async (_what, end: () => Promise<unknown>) => {
    await subscribe(member)
    await placeTicket(member, makeTicket(period_code))
    await closeEarly(app.db, period_code)
    await agreeOnResult(app, period_code, makeResult('123'))
    await settleDuePeriods(app.db)
    expect(await countQueued()).toBe(1)
    await end()
    await sendAll()
    expect(received).toEqual([])
    expect(await countSubscriptions()).toBe(0)
  })

  test('that end meanwhile neither hold up nor fail a settlement or a bet', async () => {
    await subscribe(member)
    await placeTicket(member, makeTicket(period_code))
    await closeEarly(app.db, period_code)
    await agreeOnResult(app, period_code, makeResult('123'))
    const next = await openPeriod(app.owner)
    await limitNumbers(app.db, '1bottom', 500, 0)
    const ticket = makeTicket(next, { items: [makeLine('1bottom', '5', 10)] })
    await app.owner.transaction().execute(async (tx) => {
      await sql`delete from push_subscriptions`.execute(tx)
      await settleDuePeriods(app.db)
      await placeWaitingTicket(member, ticket)
    })
    const { rows } = await app.asOwner<{ outcome: string }>`
      select outcome from periods where period_code = ${period_code}`
    expect(rows).toEqual([{ outcome: 'settled' }])
    expect(await countQueued()).toBe(2)
    await sendAll()
    expect([received, failures]).toEqual([[], []])
  })

  test('are switched off by their own member', async () => {
    const { body } = await subscribe(member)
    const other = await app.logIn('member02')
    await other.post('/mgluser/push/unsubscribe', { endpoint: body.endpoint })
    expect(await countSubscriptions()).toBe(1)
    await member.post('/mgluser/push/unsubscribe', { endpoint: body.endpoint })
    expect(await countSubscriptions()).toBe(0)
  })

  test('are at most five of a member', async () => {
    const browsers: Browser[] = []
    for (let each = 0; each < 7; each += 1) browsers.push(await subscribe(member))
    const { rows } = await app.asOwner<{ endpoint: string }>`
      select endpoint from push_subscriptions order by subscription_id`
    expect(rows.map(({ endpoint }) => endpoint)).toEqual(browsers.slice(2).map(({ body }) => body.endpoint))
  })

  test.each([
    'http://fcm.googleapis.com/send/1',
    'https://fcm.googleapis.com:8443/send/1',
    'https://fcm.googleapis.com@house.example/send/1',
    'https://fcm.googleapis.com.house.example/send/1',
    'https://house.example/fcm.googleapis.com/1',
    'https://house.example#.notify.windows.com/1',
    'https://notify.windows.com.house.example/1',
    'https://fcmxgoogleapis.com/send/1',
    'https://fcm.googleapis.com/send/ 1',
    'https://127.0.0.1/send/1',
    'https://169.254.169.254/latest/meta-data',
    'https://[::1]/send/1',
    'https://localhost/send/1',
    'file:///etc/passwd',
  ])('%s is no push service', async (endpoint) => {
    const { body } = makeBrowser()
    expect(codeOf(await member.post('/mgluser/push/subscribe', { ...body, endpoint }))).toBe('bad_input')
    expect(await countSubscriptions()).toBe(0)
  })

  test.each([
    'https://fcm.googleapis.com/fcm/send/a:b-c',
    'https://updates.push.services.mozilla.com/wpush/v2/a',
    'https://web.push.apple.com/a',
    'https://wns2-pn1p.notify.windows.com/w/?token=a%2b',
  ])('%s is one', async (endpoint) => {
    const { body } = makeBrowser()
    expect(codeOf(await member.post('/mgluser/push/subscribe', { ...body, endpoint }))).toBe('ok')
  })

  test('the key is the same after each start, and another for another house', () => {
    const keyOf = (byte: number) => openWebPush({ secret: Buffer.alloc(32, byte), publicUrl: '' }).publicKey
    expect(keyOf(1)).toBe(keyOf(1))
    expect(keyOf(1)).not.toBe(keyOf(2))
    expect(Buffer.from(keyOf(1), 'base64url')).toHaveLength(65)
  })
})
