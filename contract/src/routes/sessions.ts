// Log-in, log-off and the account's own record.

import * as z from 'zod/mini'
import { defineRoute } from '../route.ts'
import { password, requestId, satang, signedSatang, user, username, withCaptcha } from '../wire.ts'

export const getCaptcha = defineRoute({
  name: 'getCaptcha',
  method: 'GET',
  path: '/megalot/auth/captcha',
  access: 'anyone',
  is_throttled: true,
  summary:
    'A picture of four characters, made for this request_id; answered as image/png. Each call makes a new answer',
  query: z.strictObject({ request_id: requestId }),
  reply: z.null(),
})

export const captchaProof = z.strictObject({
  algorithm: z.string(),
  /** The hash to find. */
  challenge: z.string(),
  /** The hash of the salt followed by a whole number from 0 to this. */
  maxnumber: z.int(),
  salt: z.string(),
  signature: z.string(),
})
export type CaptchaProof = z.output<typeof captchaProof>

/** The difficulty of a proof of work: seconds for a phone at 1, up to a minute at 3. */
export const proofLevel = z.enum(['1', '2', '3'])

export const getCaptchaProof = defineRoute({
  name: 'getCaptchaProof',
  method: 'GET',
  path: '/megalot/auth/captcha_proof',
  access: 'anyone',
  is_throttled: true,
  summary:
    'Work for a machine in place of the picture, made for this request_id, for those who cannot see it: ALTCHA, whose solution is sent as captcha_proof',
  query: z.strictObject({ request_id: requestId, level: z.optional(proofLevel) }),
  reply: captchaProof,
})

export const logIn = defineRoute({
  name: 'logIn',
  method: 'POST',
  path: '/megalot/auth/login',
  access: 'anyone',
  is_throttled: true,
  summary: 'Opens the one live session of a user and ends the one before it',
  body: withCaptcha({ username, password }),
  reply: user,
  top_level: z.strictObject({ sessionId: z.string() }),
})

export const logOff = defineRoute({
  name: 'logOff',
  method: 'POST',
  path: '/megalot/auth/logoff',
  access: 'signed_in',
  is_open_in_maintenance: true,
  summary: 'Ends this session',
  reply: z.null(),
})

export const syncSession = defineRoute({
  name: 'syncSession',
  method: 'GET',
  path: '/megalot/auth/session_sync',
  access: 'signed_in',
  is_keep_alive: true,
  summary: 'Keep-alive and version check; an older version than the server serves is answered with 409',
  query: z.strictObject({
    version: z.string().check(z.maxLength(20)),
    /** Which of the two web applications asks: the member app or the operators' console. */
    gui: z.enum(['user', 'console']),
  }),
  reply: z.null(),
  top_level: z.strictObject({ guiVersion: z.string() }),
})

export const getBasicUser = defineRoute({
  name: 'getBasicUser',
  method: 'GET',
  path: '/mgluser/user_data/basic',
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

export const getCreditInfo = defineRoute({
  name: 'getCreditInfo',
  method: 'GET',
  path: '/mgluser/user_data/credit_info',
  access: 'signed_in',
  summary: 'Limit, balance, held, used and remaining credit of the signed-in user',
  reply: creditInfo,
})
