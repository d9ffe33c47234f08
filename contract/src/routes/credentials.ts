// Registration, change of password, and recovery of a forgotten password.

import * as z from 'zod/mini'
import { defineRoute } from '../route.ts'
import { displayName, email, password, username, withCaptcha } from '../wire.ts'
import { loggedInUser, sessionId, sessionState } from './sessions.ts'

/** Agents give this code to people who register under them; case does not matter. */
export const AGENT_CODE_FORM = /^[A-Za-z0-9]{4,20}$/
/** Of the token in a mailed link: 256 random bits. */
export const LINK_TOKEN_FORM = /^[A-Za-z0-9_-]{43}$/

export const agentCode = z.string().check(z.regex(AGENT_CODE_FORM))
export const phone = z.string().check(z.regex(/^\+?[0-9][0-9 -]{4,18}$/))

/** Of a mailed link: 256 random bits. */
const linkToken = z.string().check(z.regex(LINK_TOKEN_FORM))

/** Whether a member has chosen a password that is easy to guess, of which its screen warns. The console's are refused. */
const passwordWarning = { is_easy_to_guess: z.boolean() }

export const register = defineRoute({
  name: 'register',
  is_specified: true,
  method: 'POST',
  path: '/megalot/auth',
  access: 'anyone',
  is_throttled: true,
  summary: 'Makes a member without credit under the agent whose code is given, and opens its session',
  body: withCaptcha({
    agent_code: agentCode,
    username,
    display_name: displayName,
    email,
    phone: z.optional(phone),
    password,
  }),
  reply: loggedInUser,
  top_level: z.strictObject({ sessionId, session: sessionState, ...passwordWarning }),
})

export const forgotPassword = defineRoute({
  name: 'forgotPassword',
  is_specified: true,
  method: 'POST',
  path: '/megalot/auth/forgot-password',
  access: 'anyone',
  is_throttled: true,
  summary:
    'Asks for a mail with a link to set a new password; the answer is the same whether the address is known or not',
  body: z.strictObject({ email }),
  reply: z.null(),
})

export const resetPassword = defineRoute({
  name: 'resetPassword',
  method: 'POST',
  path: '/megalot/auth/reset-password',
  access: 'anyone',
  is_throttled: true,
  summary: 'Sets a new password with the token of a mailed link, which is used up by it; all sessions of the user end',
  body: z.strictObject({
    token: linkToken,
    new_password: password,
    confirm_password: password,
  }),
  reply: z.null(),
  top_level: z.strictObject(passwordWarning),
})

export const verifyEmail = defineRoute({
  name: 'verifyEmail',
  method: 'POST',
  path: '/megalot/auth/verify-email',
  access: 'anyone',
  is_throttled: true,
  summary:
    "Proves with the token of a mailed link and the account's password that its user reads the mail of its address: links to a forgotten password go to no other",
  body: z.strictObject({ token: linkToken, password }),
  reply: z.null(),
})

export const changePassword = defineRoute({
  name: 'changePassword',
  is_specified: true,
  cost: 'record',
  method: 'POST',
  path: '/mgluser/change_password',
  access: 'signed_in',
  open_before: ['new_password'],
  summary: "Changes the caller's password; all its sessions end, this one too",
  body: z.strictObject({ old_password: password, new_password: password, confirm_password: password }),
  reply: z.null(),
  top_level: z.strictObject(passwordWarning),
})
