// Log-in, log-out and the account's own record.

import * as z from 'zod/mini'
import * as calls from '../calls/sessions.ts'
import { defineRoute, sessionSteps } from '../route.ts'
import {
  instant,
  pageNumber,
  password,
  pathId,
  queryNumber,
  reason,
  requestId,
  satang,
  signedSatang,
  user,
  username,
  withCaptcha,
} from '../wire.ts'

export const getCaptcha = defineRoute({
  ...calls.getCaptcha,
  access: 'anyone',
  summary:
    'A picture of four characters, made for this request_id; answered as image/png. Each call makes a new answer',
  query: z.strictObject({ request_id: requestId }),
  reply: z.null(),
})

export const captchaProof = z.strictObject({
  algorithm: z.string(),
  /** The hash to find. */
  challenge: z.string(),
  /** The hash is of the salt followed by a whole number from 0 to this. */
  maxnumber: z.int(),
  salt: z.string(),
  signature: z.string(),
})
export type CaptchaProof = z.output<typeof captchaProof>

/**
 * Difficulty of a proof of work: a phone needs seconds at 1, up to a minute at 4. From 2 on, each level doubles the
 * work.
 */
export const proofLevel = z.enum(['1', '2', '3', '4'])
/** `proofLevel` as a number; `log_in_paused` names it as `proof_level`. */
export type ProofLevel = 1 | 2 | 3 | 4

export const getCaptchaProof = defineRoute({
  ...calls.getCaptchaProof,
  access: 'anyone',
  summary:
    'Work for a machine in place of the picture, made for this request_id, for those who cannot see it: ALTCHA, whose solution is sent as captcha_proof. It is at least of the level that is asked for, and harder while many wait or for a network that has failed often',
  query: z.strictObject({ request_id: requestId, level: z.optional(proofLevel) }),
  reply: captchaProof,
})

export const factorKind = z.enum(['passkey', 'totp'])
export type FactorKind = z.output<typeof factorKind>

/** How far a session is verified, and what its user has to do next. */
export const sessionState = z.strictObject({
  /** Whether the user has a second factor. */
  has_factor: z.boolean(),
  /** The kinds of second factors that the user has. */
  factor_kinds: z.array(factorKind),
  /** The password was right, and a second factor has to be verified. */
  must_verify_factor: z.boolean(),
  /** Someone else has set the password. */
  must_change_password: z.boolean(),
  /** The installation requires a second factor, and the user has none. */
  must_enrol: z.boolean(),
  /**
   * How long ago a second factor was verified in this session, in ms; null if it was not. Above `STEP_UP_MS`, routes
   * with `step_up` require it again.
   */
  factor_age_ms: z.nullable(z.int()),
})
export type SessionState = z.output<typeof sessionState>

/** The bearer token of the session. */
export const sessionId = z.string()
/** The user as a log-in returns it. */
export const loggedInUser = z.strictObject({ ...user.shape, sessionId })

export const logIn = defineRoute({
  ...calls.logIn,
  is_specified: true,
  access: 'anyone',
  summary:
    'Opens the one complete session of a user and ends the one before it. `session` says whether a second factor or a new password is awaited: until then the session can do nothing else',
  body: withCaptcha({ username, password }),
  reply: loggedInUser,
  top_level: z.strictObject({ sessionId, session: sessionState }),
})

export const getSession = defineRoute({
  ...calls.getSession,
  access: 'signed_in',
  is_keep_alive: true,
  open_before: sessionSteps,
  summary: 'How far this session is verified, and what its user has to do next',
  reply: sessionState,
})

export const logOff = defineRoute({
  ...calls.logOff,
  // A session can always be ended, even with an empty bucket.
  price: 'free',
  access: 'signed_in',
  is_open_in_maintenance: true,
  open_before: sessionSteps,
  summary: 'Ends this session; on a shared device the browser also deletes the data stored for this site',
  query: z.strictObject({ is_shared_device: z.optional(z.literal('true')) }),
  reply: z.null(),
})

export const syncSession = defineRoute({
  ...calls.syncSession,
  is_specified: true,
  access: 'signed_in',
  is_keep_alive: true,
  summary: 'Keep-alive and version check; an older version than the server serves is answered with 409',
  query: z.strictObject({
    version: z.string().check(z.maxLength(20)),
    /** Which web application asks: the member app or the operators' console. */
    gui: z.enum(['user', 'console']),
  }),
  reply: z.null(),
  top_level: z.strictObject({ guiVersion: z.string() }),
})

export const getBasicUser = defineRoute({
  ...calls.getBasicUser,
  is_specified: true,
  access: 'signed_in',
  is_keep_alive: true,
  summary: 'The signed-in user',
  reply: user,
})

export const creditInfo = z.strictObject({
  credit_limit_satang: satang,
  /** May be negative, down to minus the limit. */
  balance_satang: signedSatang,
  held_satang: satang,
  credit_used_satang: satang,
  credit_remain_satang: signedSatang,
})
export type CreditInfo = z.output<typeof creditInfo>

/** Credit of a user of the downline. Each field is null without `credit.view`. */
export const shownCredit = z.strictObject({
  credit_limit_satang: z.nullable(creditInfo.shape.credit_limit_satang),
  balance_satang: z.nullable(creditInfo.shape.balance_satang),
  held_satang: z.nullable(creditInfo.shape.held_satang),
  credit_used_satang: z.nullable(creditInfo.shape.credit_used_satang),
  credit_remain_satang: z.nullable(creditInfo.shape.credit_remain_satang),
})
export type ShownCredit = z.output<typeof shownCredit>

export const getCreditInfo = defineRoute({
  ...calls.getCreditInfo,
  is_specified: true,
  access: 'signed_in',
  summary: 'Limit, balance, held, used and remaining credit of the signed-in user',
  reply: creditInfo,
})

export const sessionListing = z.strictObject({
  session_id: z.int(),
  user_id: z.int(),
  username: z.string(),
  display_name: z.string(),
  /** Whether this call used the session. */
  is_current: z.boolean(),
  /** The browser's `User-Agent`; null if it sent none. */
  user_agent: z.nullable(z.string()),
  /** The address of the log-in; null if the application itself opened the session. */
  address: z.nullable(z.string()),
  started_at: instant,
  last_active_at: instant,
  /** When a second factor was last verified; null if never. */
  factor_verified_at: z.nullable(instant),
  /** Null while the session is live. */
  ended_at: z.nullable(instant),
})
export type SessionListing = z.output<typeof sessionListing>

const pageQuery = { page: z.optional(pageNumber), ipp: z.optional(queryNumber) }

export const listSessions = defineRoute({
  ...calls.listSessions,
  access: 'signed_in',
  summary: "The caller's own sessions, ended ones too, the last one first",
  query: z.strictObject(pageQuery),
  reply: z.array(sessionListing),
})

export const listDownlineSessions = defineRoute({
  ...calls.listDownlineSessions,
  access: 'console',
  needs: 'people.view',
  summary:
    'Live sessions of everybody under the caller, last activity first; with a user those of this user, ended ones too',
  query: z.strictObject({ user_id: z.optional(pathId), ...pageQuery }),
  reply: z.array(sessionListing),
})

export const listStaffSessions = defineRoute({
  ...calls.listStaffSessions,
  access: 'console',
  needs: 'staff.view',
  summary:
    "Live sessions of the caller's assistants, for the office of all office users and their assistants; last activity first",
  query: z.strictObject(pageQuery),
  reply: z.array(sessionListing),
})

export const endDownlineSessions = defineRoute({
  ...calls.endDownlineSessions,
  access: 'console',
  needs: 'people.do',
  summary: 'Ends the sessions of a user under the caller, who may log in again',
  params: z.strictObject({ user_id: pathId }),
  body: z.strictObject({ reason }),
  reply: z.null(),
})
