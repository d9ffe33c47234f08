// An authenticator in software, for tests of passkeys. It makes real keys and signatures and writes CBOR and COSE by
// hand, so that the server verifies what a security key would send. Each part of a response can be falsified.

import { createHash, createSign, generateKeyPairSync, type KeyObject, randomBytes } from 'node:crypto'
import type { NewPasskey, PasskeyAssertion, PasskeyCreation, PasskeyRequest } from '@megalot/contract'

/** What to falsify in a response; nothing by default. */
export interface Falsification {
  origin?: string
  rpId?: string
  challenge?: string
  type?: string
  isUserVerified?: boolean
  /** The count of uses that the authenticator reports. */
  count?: number
  /** The credential id that the browser reports. */
  id?: string
  /** The user id that the authenticator reports; null for none. */
  userHandle?: string | null
  /** The key that signs. */
  key?: KeyObject
}

const USER_PRESENT = 0x01
const USER_VERIFIED = 0x04
const HAS_CREDENTIAL = 0x40

export class Authenticator {
  private readonly keys = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  readonly credentialId = randomBytes(32)
  private count = 0
  private userHandle: string | undefined

  private readonly origin: string

  constructor(origin: string) {
    this.origin = origin
  }

  get id(): string {
    return this.credentialId.toString('base64url')
  }

  get privateKey(): KeyObject {
    return this.keys.privateKey
  }

  /** The result of `navigator.credentials.create`, with attestation "none". */
  create(options: PasskeyCreation, wrong: Falsification = {}): NewPasskey {
    this.userHandle = options.user.id
    const clientData = this.clientDataOf('webauthn.create', options.challenge, wrong)
    const flags = USER_PRESENT | HAS_CREDENTIAL | (wrong.isUserVerified === false ? 0 : USER_VERIFIED)
    const credential = Buffer.concat([Buffer.alloc(16), uint16(this.credentialId.length), this.credentialId])
    const authData = Buffer.concat([
      this.headerOf(wrong.rpId ?? options.rp.id, flags, wrong.count ?? 0),
      credential,
      this.publicKey(),
    ])
    const attestation = cborMap([
      [cborText('fmt'), cborText('none')],
      [cborText('attStmt'), cborMap([])],
      [cborText('authData'), cborBytes(authData)],
    ])
    return {
      ...this.credentialOf(wrong),
      response: {
        clientDataJSON: clientData.toString('base64url'),
        attestationObject: attestation.toString('base64url'),
        transports: ['usb'],
      },
    }
  }

  /** The result of `navigator.credentials.get`. Each counts one use. */
  get(options: PasskeyRequest, wrong: Falsification = {}): PasskeyAssertion {
    this.count += 1
    const clientData = this.clientDataOf('webauthn.get', options.challenge, wrong)
    const flags = USER_PRESENT | (wrong.isUserVerified === false ? 0 : USER_VERIFIED)
    const authData = this.headerOf(wrong.rpId ?? options.rpId, flags, wrong.count ?? this.count)
    const signature = createSign('sha256')
      .update(Buffer.concat([authData, sha256(clientData)]))
      .sign(wrong.key ?? this.keys.privateKey)
    return {
      ...this.credentialOf(wrong),
      response: {
        clientDataJSON: clientData.toString('base64url'),
        authenticatorData: authData.toString('base64url'),
        signature: signature.toString('base64url'),
        ...withUser(wrong.userHandle === undefined ? this.userHandle : wrong.userHandle),
      },
    }
  }

  private credentialOf({ id = this.id }: Falsification) {
    return { id, rawId: id, type: 'public-key' as const, clientExtensionResults: {} }
  }

  private clientDataOf(type: string, challenge: string, wrong: Falsification): Buffer {
    const content = {
      type: wrong.type ?? type,
      challenge: wrong.challenge ?? challenge,
      origin: wrong.origin ?? this.origin,
      crossOrigin: false,
    }
    return Buffer.from(JSON.stringify(content))
  }

  private headerOf(rpId: string, flags: number, count: number): Buffer {
    const counter = Buffer.alloc(4)
    counter.writeUInt32BE(count)
    return Buffer.concat([sha256(Buffer.from(rpId)), Buffer.of(flags), counter])
  }

  /** COSE: an elliptic curve key (2) for ES256 (-7) on P-256 (1). */
  private publicKey(): Buffer {
    const { x, y } = this.keys.publicKey.export({ format: 'jwk' })
    return cborMap([
      [cborInteger(1), cborInteger(2)],
      [cborInteger(3), cborInteger(-7)],
      [cborInteger(-1), cborInteger(1)],
      [cborInteger(-2), cborBytes(Buffer.from(x!, 'base64url'))],
      [cborInteger(-3), cborBytes(Buffer.from(y!, 'base64url'))],
    ])
  }
}

function withUser(userHandle: string | null | undefined): { userHandle?: string } {
  return userHandle ? { userHandle } : {}
}

function sha256(bytes: Buffer): Buffer {
  return createHash('sha256').update(bytes).digest()
}

function uint16(value: number): Buffer {
  const bytes = Buffer.alloc(2)
  bytes.writeUInt16BE(value)
  return bytes
}

/** The first bytes of a CBOR item: its major type and a number below 65,536. */
function cborHead(major: number, value: number): Buffer {
  if (value < 24) return Buffer.of((major << 5) | value)
  if (value < 256) return Buffer.of((major << 5) | 24, value)
  return Buffer.concat([Buffer.of((major << 5) | 25), uint16(value)])
}

function cborInteger(value: number): Buffer {
  return value >= 0 ? cborHead(0, value) : cborHead(1, -1 - value)
}

function cborBytes(bytes: Buffer): Buffer {
  return Buffer.concat([cborHead(2, bytes.length), bytes])
}

function cborText(text: string): Buffer {
  const bytes = Buffer.from(text)
  return Buffer.concat([cborHead(3, bytes.length), bytes])
}

function cborMap(entries: readonly (readonly [Buffer, Buffer])[]): Buffer {
  return Buffer.concat([cborHead(5, entries.length), ...entries.flat()])
}
