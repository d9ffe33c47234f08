// Second factors of users with console access: enrolling, removing and verifying them, after the password and again
// before actions with `step_up`. Passkeys use the JSON forms of the Web Authentication API.

import * as z from 'zod/mini'
import * as calls from '../calls/second-factor.ts'
import { defineRoute, sessionSteps } from '../route.ts'
import { freeText, instant, password, pathId } from '../wire.ts'
import { factorKind, sessionState } from './sessions.ts'

/** Bytes as text, without padding. */
const base64url = (most: number) => z.string().check(z.regex(/^[A-Za-z0-9_-]+$/), z.maxLength(most))
const transport = z.string().check(z.regex(/^[a-z-]{1,20}$/))
/** Extension results; the server uses none. */
const extensionResults = z.record(z.string(), z.unknown())
const attachment = z.optional(z.string().check(z.maxLength(40)))

/** A code of an authenticator app. */
const totpCode = z.string().check(z.regex(/^\d{6}$/))
/** 28 letters and digits. Hyphens, spaces and case are ignored. */
const recoveryCode = z.string().check(z.regex(/^[A-Za-z2-7 -]{28,50}$/))
/** How many recovery codes a user gets at once. */
export const RECOVERY_CODES = 10

export const factor = z.strictObject({
  factor_id: z.int(),
  kind: factorKind,
  /** Chosen by the user: "phone", "security key". */
  name: z.string(),
  created_at: instant,
  last_used_at: z.nullable(instant),
})
export type Factor = z.output<typeof factor>

export const listFactors = defineRoute({
  ...calls.listFactors,
  access: 'console',
  summary: "The caller's second factors, and how many recovery codes are left",
  reply: z.strictObject({ factors: z.array(factor), recovery_codes_left: z.int(), is_totp_available: z.boolean() }),
})

const enrolmentReply = z.strictObject({
  factor,
  /** Shown once, with the first factor. Null if the user already has them. */
  recovery_codes: z.nullable(z.array(z.string())),
})

/** `sessionId` is the session's new token if it was not verified before; otherwise null. */
const enrolled = { reply: enrolmentReply, top_level: z.strictObject({ sessionId: z.nullable(z.string()) }) }

/** Lasting access requires the password again, and a recently verified factor if there is one. */
const withPassword = z.strictObject({ password })

const credentialDescriptor = z.strictObject({
  id: z.string(),
  type: z.literal('public-key'),
  transports: z.optional(z.array(z.string())),
})

/** For `navigator.credentials.create`. */
export const passkeyCreation = z.strictObject({
  rp: z.strictObject({ name: z.string(), id: z.string() }),
  user: z.strictObject({ id: z.string(), name: z.string(), displayName: z.string() }),
  challenge: z.string(),
  pubKeyCredParams: z.array(z.strictObject({ alg: z.int(), type: z.literal('public-key') })),
  timeout: z.int(),
  excludeCredentials: z.array(credentialDescriptor),
  authenticatorSelection: z.strictObject({
    residentKey: z.enum(['discouraged', 'preferred', 'required']),
    requireResidentKey: z.boolean(),
    userVerification: z.literal('required'),
  }),
  attestation: z.literal('none'),
})
export type PasskeyCreation = z.output<typeof passkeyCreation>

export const startPasskey = defineRoute({
  ...calls.startPasskey,
  access: 'console',
  step_up: true,
  summary: 'Begins to enrol a passkey: a challenge for this session, valid once and for five minutes',
  body: withPassword,
  reply: passkeyCreation,
})

/** The result of `navigator.credentials.create`. */
export const newPasskey = z.strictObject({
  id: base64url(1_400),
  rawId: base64url(1_400),
  type: z.literal('public-key'),
  authenticatorAttachment: attachment,
  clientExtensionResults: extensionResults,
  response: z.strictObject({
    clientDataJSON: base64url(4_000),
    attestationObject: base64url(20_000),
    authenticatorData: z.optional(base64url(8_000)),
    transports: z.optional(z.array(transport).check(z.maxLength(10))),
    publicKeyAlgorithm: z.optional(z.int()),
    publicKey: z.optional(base64url(8_000)),
  }),
})
export type NewPasskey = z.output<typeof newPasskey>

export const enrolPasskey = defineRoute({
  ...calls.enrolPasskey,
  access: 'console',
  summary:
    'Enrols the passkey that was made for the challenge. It counts as verified in this session, which gets a new id where it was not verified before',
  body: z.strictObject({ name: freeText(1, 60), passkey: newPasskey }),
  ...enrolled,
})

export const startTotp = defineRoute({
  ...calls.startTotp,
  access: 'console',
  step_up: true,
  summary: 'Begins to enrol an authenticator app: a new secret for this session, valid for ten minutes',
  body: withPassword,
  reply: z.strictObject({
    /** Base32, for typing by hand. */
    secret: z.string(),
    /** The same for a QR code: `otpauth://totp/…`. */
    otpauth_url: z.string(),
  }),
})

export const enrolTotp = defineRoute({
  ...calls.enrolTotp,
  access: 'console',
  summary:
    'Enrols the authenticator app that shows this code. It counts as verified in this session, which gets a new id where it was not verified before',
  body: z.strictObject({ name: freeText(1, 60), code: totpCode }),
  ...enrolled,
})

export const renameFactor = defineRoute({
  ...calls.renameFactor,
  access: 'console',
  summary: 'Gives a second factor of the caller another name',
  params: z.strictObject({ factor_id: pathId }),
  body: z.strictObject({ name: freeText(1, 60) }),
  reply: factor,
})

export const removeFactor = defineRoute({
  ...calls.removeFactor,
  access: 'console',
  step_up: true,
  summary: 'Removes a second factor of the caller. The last one stays where the installation requires one',
  params: z.strictObject({ factor_id: pathId }),
  reply: z.null(),
})

export const renewRecoveryCodes = defineRoute({
  ...calls.renewRecoveryCodes,
  access: 'console',
  step_up: true,
  summary: 'New recovery codes in place of the old ones, shown once; for a user with a second factor',
  body: withPassword,
  reply: z.strictObject({ recovery_codes: z.array(z.string()) }),
})

/** Open to every session of the console, complete or not. */
const verification = { access: 'console', open_before: sessionSteps } as const

/** The session after verification. `sessionId` is its new token, or null if the token stays. */
const verified = { reply: sessionState, top_level: z.strictObject({ sessionId: z.nullable(z.string()) }) }

/** For `navigator.credentials.get`. */
export const passkeyRequest = z.strictObject({
  challenge: z.string(),
  timeout: z.int(),
  rpId: z.string(),
  allowCredentials: z.array(credentialDescriptor),
  userVerification: z.literal('required'),
})
export type PasskeyRequest = z.output<typeof passkeyRequest>

export const startPasskeyVerification = defineRoute({
  ...calls.startPasskeyVerification,
  ...verification,
  summary: 'A challenge for the passkeys of the caller, for this session, valid once and for five minutes',
  reply: passkeyRequest,
})

/** The result of `navigator.credentials.get`. */
export const passkeyAssertion = z.strictObject({
  id: base64url(1_400),
  rawId: base64url(1_400),
  type: z.literal('public-key'),
  authenticatorAttachment: attachment,
  clientExtensionResults: extensionResults,
  response: z.strictObject({
    clientDataJSON: base64url(4_000),
    authenticatorData: base64url(8_000),
    signature: base64url(8_000),
    userHandle: z.optional(base64url(100)),
  }),
})
export type PasskeyAssertion = z.output<typeof passkeyAssertion>

export const verifyPasskey = defineRoute({
  ...calls.verifyPasskey,
  ...verification,
  ...verified,
  summary: 'Verifies a passkey for this session. A session that was not complete gets a new id',
  body: z.strictObject({ passkey: passkeyAssertion }),
})

export const verifyTotp = defineRoute({
  ...calls.verifyTotp,
  ...verification,
  ...verified,
  summary: 'Verifies a code of an authenticator app, each valid once. A session that was not complete gets a new id',
  body: z.strictObject({ code: totpCode }),
})

export const verifyRecoveryCode = defineRoute({
  ...calls.verifyRecoveryCode,
  ...verification,
  ...verified,
  summary: 'Uses up a recovery code in place of a second factor. A session that was not complete gets a new id',
  body: z.strictObject({ code: recoveryCode }),
})
