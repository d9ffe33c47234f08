// Registration, password changes, and recovery of a forgotten password.

import * as z from 'zod/mini'
import * as calls from '../calls/credentials.ts'
import { defineRoute } from '../route.ts'
import { displayName, email, instant, password, userLevel, username, withCaptcha, withOptionalProof } from '../wire.ts'
import { loggedInUser, sessionId, sessionState } from './sessions.ts'
import { AGENT_CODE_FORM, LINK_TOKEN_FORM } from '../limits.ts'

export const agentCode = z.string().check(z.regex(AGENT_CODE_FORM))
export const phone = z.string().check(z.regex(/^\+?[0-9][0-9 -]{4,18}$/))

/** The token of a mailed link: 256 random bits. */
export const linkToken = z.string().check(z.regex(LINK_TOKEN_FORM))

/**
 * Whether the member's new password is easy to guess; the screen shows a warning. For console users such passwords are
 * refused.
 */
const passwordWarning = { is_easy_to_guess: z.boolean() }

export const register = defineRoute({
  ...calls.register,
  is_specified: true,
  access: 'anyone',
  summary: 'Makes a member without credit under the agent whose code is given, and opens its session',
  body: withCaptcha({
    agent_code: agentCode,
    username,
    display_name: displayName,
    /** Optional only if the agent code allows it. */
    email: z.optional(email),
    phone: z.optional(phone),
    password,
  }),
  reply: loggedInUser,
  top_level: z.strictObject({ sessionId, session: sessionState, ...passwordWarning }),
})

export const forgotPassword = defineRoute({
  ...calls.forgotPassword,
  is_specified: true,
  access: 'anyone',
  summary:
    'Asks for a new password: a verified address is mailed a link, a user without one asks its agent. The answer is the same for every address and username, known or not. A network that asks often needs a proof of work',
  body: z.union([...withOptionalProof({ email }), ...withOptionalProof({ username })]),
  reply: z.null(),
})

export const resetPassword = defineRoute({
  ...calls.resetPassword,
  access: 'anyone',
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
  ...calls.verifyEmail,
  access: 'anyone',
  summary:
    "Verifies an address with the token of a mailed link and the account's password. It replaces the address verified before, which is mailed a notice",
  body: z.strictObject({ token: linkToken, password }),
  reply: z.null(),
})

export const changePassword = defineRoute({
  ...calls.changePassword,
  is_specified: true,
  access: 'signed_in',
  open_before: ['new_password'],
  summary: "Changes the caller's password. All its sessions end; this one goes on under `sessionId`",
  body: z.strictObject({ old_password: password, new_password: password, confirm_password: password }),
  reply: z.null(),
  top_level: z.strictObject({ sessionId, ...passwordWarning }),
})

export const emailState = z.strictObject({
  /** Verified. Used to recover a forgotten password. */
  email: z.nullable(z.string()),
  /** Replaces `email` once its mailed link is opened. */
  unverified_email: z.nullable(z.string()),
})
export type EmailState = z.output<typeof emailState>

export const getEmail = defineRoute({
  ...calls.getEmail,
  access: 'member',
  summary: "The caller's mail address, and the one that waits for its link",
  reply: emailState,
})

export const changeEmail = defineRoute({
  ...calls.changeEmail,
  access: 'member',
  summary:
    "Mails a link to the caller's new address, or another one to the same address. The address verified before serves until the new one is",
  body: z.strictObject({ email, password }),
  reply: emailState,
})

export const passwordRequest = z.strictObject({
  user_id: z.int(),
  username: z.string(),
  display_name: z.string(),
  level: userLevel,
  requested_at: instant,
})
export type PasswordRequest = z.output<typeof passwordRequest>

export const listPasswordRequests = defineRoute({
  ...calls.listPasswordRequests,
  access: 'console',
  needs: 'people.view',
  summary:
    'Users directly below the caller, or below the company for the office, who asked for a new password in the last three days and have not logged in since; `resetPasswords` answers them',
  reply: z.array(passwordRequest),
})
