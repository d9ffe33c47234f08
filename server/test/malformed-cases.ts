// Malformed or barely valid requests, as bytes on a socket, generated from a seed that repeats a run.

import { gzipSync } from 'node:zlib'
import fc from 'fast-check'

/**
 * How the client continues after its bytes: it ends its side and reads the reply; resets the connection; or trickles
 * bytes until the server ends it.
 */
export type ClientEnd = 'end' | 'reset' | 'trickle'

export interface MalformedCase {
  kind: string
  bytes: Buffer
  /** Piece size of the beginning; undefined if it arrives in one piece. */
  piece: number | undefined
  end: ClientEnd
  /**
   * `one_refusal`: the request is refused with one 4xx reply, whatever follows. `one_at_most`: the same, but the reply
   * may be lost, because the server closes while much of the body is in flight and TCP then drops unread data.
   */
  expected: 'anything' | 'one_refusal' | 'one_at_most'
}

type Made = Pick<MalformedCase, 'bytes' | 'expected'>

/** Bytes 0 to 255 are the characters with these codes. */
const bytesOf = (text: string): Buffer => Buffer.from(text, 'latin1')
const refused = (text: string): Made => ({ bytes: bytesOf(text), expected: 'one_refusal' })
const open = (text: string): Made => ({ bytes: bytesOf(text), expected: 'anything' })

const anyByte = fc.integer({ min: 0, max: 255 }).map((code) => String.fromCharCode(code))
const anyBytes = (maxLength: number) => fc.string({ unit: anyByte, maxLength })
const visible = fc.string({
  unit: fc.integer({ min: 33, max: 126 }).map((code) => String.fromCharCode(code)),
  maxLength: 40,
})

const paths = [
  '/live',
  '/',
  '/megalot/auth/login',
  '/api/order/create',
  '/api/order',
  '/mgluser/basic_user',
  '/assets/x.js',
  '/api/docs',
]
const path = fc.constantFrom(...paths)
const JSON_POST = 'POST /megalot/auth/login HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n'
const LIVE = 'GET /live HTTP/1.1\r\nHost: a\r\n\r\n'
const logIn =
  '{"username":"member01","password":"x","request_id":"00000000-0000-4000-8000-000000000001","captcha_answer":"x"}'
const right = fc.constantFrom(
  LIVE,
  'GET /api/order?page=1 HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer x\r\nAccept-Language: en\r\n\r\n',
  `${JSON_POST}Content-Length: ${logIn.length}\r\n\r\n${logIn}`,
)

const requestLines = fc.oneof(
  fc
    .tuple(
      fc.oneof(fc.constantFrom('GET', 'get', 'TRACE', 'CONNECT', 'PRI', 'OPTIONS', 'PROPFIND', 'BREW', ''), visible),
      fc.constantFrom(' ', '  ', '\t', ''),
      fc.oneof(
        path,
        anyBytes(60),
        visible.map((text) => `/${text}`),
        fc.constantFrom(
          '*',
          '//',
          '/..%2f..',
          '/%',
          '/%zz',
          '/%00',
          'http://b/live',
          '\\',
          '/api/order/request_id/%ff',
        ),
      ),
      fc.constantFrom(' HTTP/1.1', ' HTTP/1.0', ' HTTP/9.9', ' HTTP/2.0', ' http/1.1', ' HTTP/1', ' ', ''),
    )
    .map(([method, space, target, version]) => open(`${method}${space}${target}${version}\r\nHost: a\r\n\r\n`)),
  fc
    .integer({ min: 1_000, max: 40_000 })
    .map((length) => open(`GET /live?${'x'.repeat(length)} HTTP/1.1\r\nHost: a\r\n\r\n`)),
)

const headerNames = fc.constantFrom(
  'Accept',
  'Accept-Encoding',
  'Accept-Language',
  'Authorization',
  'Cookie',
  'Content-Type',
  'Connection',
  'Expect',
  'Upgrade',
  'Range',
  'If-None-Match',
  'Origin',
  'X-Forwarded-For',
  'X-Forwarded-Host',
  'Forwarded',
  'TE',
  'Trailer',
  'X-Idle-Ms',
  '__proto__',
  'constructor',
)
const headers = fc.oneof(
  fc
    .tuple(
      path,
      fc.array(
        fc.tuple(
          fc.oneof(headerNames, visible, anyBytes(10)),
          fc.constantFrom(': ', ':', ' : ', '', ':\t'),
          anyBytes(80),
          fc.constantFrom('\r\n', '\r\n', '\n', '\r', '\r\n '),
        ),
        { maxLength: 12 },
      ),
    )
    .map(([target, given]) => open(`GET ${target} HTTP/1.1\r\nHost: a\r\n${given.flat().join('')}\r\n`)),
  fc
    .tuple(
      path,
      headerNames,
      fc.constantFrom('x', '\u00ff', '\t', ',', '100-continue', 'h2c', 'bytes=0-,1-', '"', ';q=', '*;q=9', '=', '%'),
      fc.integer({ min: 1, max: 12_000 }),
    )
    .map(([target, name, value, times]) =>
      open(`GET ${target} HTTP/1.1\r\nHost: a\r\n${name}: ${value.repeat(Math.ceil(times / value.length))}\r\n\r\n`),
    ),
  fc
    .integer({ min: 500, max: 4_000 })
    .map((count) => open(`GET /live HTTP/1.1\r\nHost: a\r\n${'a:b\r\n'.repeat(count)}\r\n`)),
)

const hosts = fc.oneof(
  fc
    .tuple(visible, visible, fc.constantFrom('Host', 'host', 'hOST'))
    .map(([one, other, name]) => refused(`GET /live HTTP/1.1\r\nHost: ${one}\r\n${name}: ${other}\r\n\r\n`)),
  fc.constant(refused('GET /live HTTP/1.1\r\n\r\n')),
  anyBytes(40).map((host) => open(`GET /live HTTP/1.1\r\nHost: ${host}\r\n\r\n`)),
)

const lengths = fc.oneof(
  fc
    .tuple(fc.nat(9), fc.integer({ min: 10, max: 99 }))
    .map(([one, other]) => refused(`${JSON_POST}Content-Length: ${one}\r\nContent-Length: ${other}\r\n\r\n{}${LIVE}`)),
  fc
    .constantFrom('-1', '+5', '0x5', '5,5', '5, 6', '1e3', '18446744073709551616', '9'.repeat(40), '5 5', 'five', '٥')
    .map((length) =>
      refused(`${JSON_POST}Content-Length: ${Buffer.from(length).toString('latin1')}\r\n\r\n{}   ${LIVE}`),
    ),
  fc
    .nat(200)
    .map((length) =>
      refused(`${JSON_POST}Content-Length: ${length}\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n${LIVE}`),
    ),
  // Larger than any body may be: refused before it is read.
  fc.integer({ min: 600_000, max: 2 ** 40 }).map((length) => refused(`${JSON_POST}Content-Length: ${length}\r\n\r\n{`)),
)

const chunks = fc.oneof(
  fc
    .constantFrom('zz', '-1', 'FFFFFFFFFFFFFFFFF', '0x5', '', ' ', '5 5', ';', '\u0000')
    .map((size) => refused(`${JSON_POST}Transfer-Encoding: chunked\r\n\r\n${size}\r\nhello\r\n0\r\n\r\n${LIVE}`)),
  fc
    .constantFrom(
      'gzip',
      'identity',
      'xchunked',
      'chunked, gzip',
      'chunked, chunked',
      '\tchunked',
      'chunked\r\nTransfer-Encoding: identity',
    )
    .map((coding) => open(`${JSON_POST}Transfer-Encoding: ${coding}\r\n\r\n2\r\n{}\r\n0\r\n\r\n`)),
  fc
    .tuple(fc.nat(20_000), anyBytes(30))
    .map(([length, trailer]) =>
      open(`${JSON_POST}Transfer-Encoding: chunked\r\n\r\n2;${'x'.repeat(length)}\r\n{}\r\n0\r\nT: ${trailer}\r\n\r\n`),
    ),
  fc
    .array(fc.tuple(fc.nat(40), anyBytes(40)), { maxLength: 20 })
    .map((given) =>
      open(
        `${JSON_POST}Transfer-Encoding: chunked\r\n\r\n${given.map(([size, text]) => `${size.toString(16)}\r\n${text}\r\n`).join('')}0\r\n\r\n`,
      ),
    ),
)

const post = (type: string, body: Buffer, more = ''): Made => ({
  bytes: Buffer.concat([
    bytesOf(
      `POST /megalot/auth/login HTTP/1.1\r\nHost: a\r\nContent-Type: ${type}\r\n${more}Content-Length: ${body.length}\r\n\r\n`,
    ),
    body,
  ]),
  expected: body.length > 8_000 ? 'one_at_most' : 'one_refusal',
})
const bodies = fc.oneof(
  fc
    .tuple(
      fc.constantFrom(
        'application/json',
        'application/json; charset=utf-16',
        'text/plain',
        'multipart/form-data; boundary=',
        'application/x-www-form-urlencoded',
        ';',
        'application/json;charset="',
        'application/problem+json',
      ),
      fc.uint8Array({ maxLength: 400 }),
    )
    .map(([type, body]) => post(type, Buffer.from(body))),
  fc
    .constantFrom('gzip', 'br', 'deflate', 'gzip, gzip', 'x')
    .map((coding) => post('application/json', gzipSync(logIn), `Content-Encoding: ${coding}\r\n`)),
  fc.integer({ min: 1, max: 7_000 }).map((depth) => post('application/json', Buffer.from('['.repeat(depth)))),
  fc
    .integer({ min: 1, max: 3_000 })
    .map((depth) => post('application/json', Buffer.from('{"a":'.repeat(depth / 5) + '1' + '}'.repeat(depth / 5)))),
  fc
    .constantFrom(
      '{"__proto__":{"x":1}}',
      '{"constructor":{"prototype":{"x":1}}}',
      '\ufeff{}',
      '{"username":"\\ud800"}',
      '{"username":1e999}',
      '{"username":"\\u0000"}',
      'null',
      '""',
      '{}{}',
      '{"username":"a","username":"b"}',
    )
    .map((body) => post('application/json', Buffer.from(body))),
  fc.nat(logIn.length - 1).map((length) => post('application/json', Buffer.from(logIn.slice(0, length)))),
  fc.integer({ min: 9_000, max: 700_000 }).map((length) => post('application/json', Buffer.alloc(length, ' '))),
)

const truncated = fc
  .tuple(right, fc.nat(400))
  .map(([text, length]) => open(text.slice(0, Math.min(length, text.length - 1))))
const pipelined = fc
  .tuple(fc.integer({ min: 1, max: 40 }), anyBytes(200), right)
  .map(([count, garbage, last]) => open(LIVE.repeat(count) + garbage + last))
const mutated = fc
  .tuple(
    right,
    fc.array(fc.tuple(fc.nat(400), anyByte, fc.constantFrom('replace', 'insert', 'remove')), {
      minLength: 1,
      maxLength: 6,
    }),
  )
  .map(([text, changes]) => {
    let changed = text
    for (const [at, byte, how] of changes) {
      const place = at % changed.length
      changed =
        changed.slice(0, place) + (how === 'remove' ? '' : byte) + changed.slice(how === 'insert' ? place : place + 1)
    }
    return open(changed)
  })
const protocols = fc.oneof(
  fc.uint8Array({ maxLength: 2_000 }).map((bytes): Made => ({ bytes: Buffer.from(bytes), expected: 'anything' })),
  fc
    .constantFrom(
      '\u0016\u0003\u0001\u0002\u0000\u0001\u0000\u0001\u00fc\u0003\u0003',
      'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
      'PROXY TCP4 1.2.3.4 1.2.3.4 1 2\r\n',
      'CONNECT a:80 HTTP/1.1\r\nHost: a\r\n\r\n',
      'GET / HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Key: x\r\n\r\n',
      'GET / HTTP/1.1\r\nHost: a\r\nConnection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: x\r\n\r\n',
      '\r\n\r\n\r\n',
      '\u0000',
      'HTTP/1.1 200 OK\r\n\r\n',
      'GET /\r\n',
    )
    .map(open),
  fc
    .constantFrom('100-continue', 'x', '100-continue, 100-continue')
    .map((expects) => open(`${JSON_POST}Expect: ${expects}\r\nContent-Length: 2\r\n\r\n{}`)),
)

const kinds = { requestLines, headers, hosts, lengths, chunks, bodies, truncated, pipelined, mutated, protocols }
type Kind = keyof typeof kinds
const kindNames = Object.keys(kinds) as Kind[]

const quick = fc
  .constantFrom(...kindNames)
  .chain((kind) =>
    fc
      .tuple(
        kinds[kind],
        fc.option(fc.integer({ min: 1, max: 700 }), { nil: undefined, freq: 3 }),
        fc.constantFrom<ClientEnd>('end', 'end', 'end', 'end', 'reset'),
      )
      .map(([made, piece, end]): MalformedCase => ({ kind, ...made, piece, end })),
  )

/** Held until the socket's limits: headers or a body that do not end. */
const slow = fc
  .constantFrom('GET /live HTTP/1.1\r\nHost: a\r\nX-Slow: ', 'GET /li', `${JSON_POST}Content-Length: 4000\r\n\r\n{`)
  .map((text): MalformedCase => ({ kind: 'slow', ...refused(text), piece: undefined, end: 'trickle' }))

/** Cases of a seed: the same seed gives the same ones. */
export function makeMalformed(count: number, seed: number): MalformedCase[] {
  return fc.sample(quick, { numRuns: count, seed })
}

/** As `makeMalformed`, for requests that the server ends at its limits. */
export function makeSlow(count: number, seed: number): MalformedCase[] {
  return fc.sample(slow, { numRuns: count, seed })
}
