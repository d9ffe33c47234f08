// Goal: codes are those of RFC 6238, one time step before and after is accepted, and a stored secret is of use only with its key
// and for its user.

import { randomBytes } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { totpOf } from '../../../test/factor-callers.ts'
import { decryptSecret, encryptSecret } from './secret-cipher.ts'
import { describeTotp, findTotpStep, makeTotpSecret } from './totp.ts'

/** The last six digits of the test vectors for SHA-1 in appendix B of RFC 6238. */
const vectors: [number, string][] = [
  [59, '287082'],
  [1_111_111_109, '081804'],
  [1_111_111_111, '050471'],
  [1_234_567_890, '005924'],
  [2_000_000_000, '279037'],
]
const secretOfVectors = Buffer.from('12345678901234567890')

describe('a code of an authenticator app', () => {
  test.each(vectors)('at second %i is %s', (seconds, code) => {
    expect(findTotpStep(secretOfVectors, code, new Date(seconds * 1_000))).toBe(Math.floor(seconds / 30))
    expect(totpOf(secretOfVectors, Math.floor(seconds / 30))).toBe(code)
  })

  const step = 1_000_000
  // The first and the last millisecond of a time step.
  test.each([step * 30_000, step * 30_000 + 29_999])('at %i ms may be one step early or late, not two', (now_ms) => {
    const secret = makeTotpSecret()
    const found = [-2, -1, 0, 1, 2].map((ahead) => findTotpStep(secret, totpOf(secret, step + ahead), new Date(now_ms)))
    expect(found).toEqual([undefined, step - 1, step, step + 1, undefined])
  })

  test('is that of its own secret', () => {
    const [one, other] = [makeTotpSecret(), makeTotpSecret()]
    expect(findTotpStep(one, totpOf(other, step), new Date(step * 30_000))).toBeUndefined()
  })

  test('is described for a QR code with the name of the user', () => {
    const url = new URL(describeTotp(secretOfVectors, 'office01').otpauth_url)
    expect([url.protocol, url.host, decodeURIComponent(url.pathname)]).toEqual([
      'otpauth:',
      'totp',
      '/megalot:office01',
    ])
    expect(Object.fromEntries(url.searchParams)).toEqual({
      issuer: 'megalot',
      secret: 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ',
      algorithm: 'SHA1',
      digits: '6',
      period: '30',
    })
  })
})

describe('a stored secret', () => {
  const key = randomBytes(32)
  const secret = makeTotpSecret()
  const stored = encryptSecret(key, 7, secret)

  test('can be read with the key, and differs each time', () => {
    expect(decryptSecret(key, 7, stored)).toEqual(secret)
    expect(encryptSecret(key, 7, secret)).not.toEqual(stored)
    expect(stored.includes(secret)).toBe(false)
  })

  test('cannot be read with another key, for another user, or after a change', () => {
    const changed = Buffer.from(stored)
    changed[changed.length - 1]! ^= 1
    expect(decryptSecret(randomBytes(32), 7, stored)).toBeNull()
    expect(decryptSecret(key, 8, stored)).toBeNull()
    expect(decryptSecret(key, 7, changed)).toBeNull()
    expect(decryptSecret(key, 7, Buffer.concat([Buffer.of(2), stored.subarray(1)]))).toBeNull()
  })

  // Defect: a text that had lost its end threw instead, so that no app of the user could be used any more.
  test('cannot be read where it is cut off anywhere', () => {
    for (let length = 0; length < stored.length; length += 1)
      expect(decryptSecret(key, 7, stored.subarray(0, length))).toBeNull()
  })
})
