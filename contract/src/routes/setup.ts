// The first two owners of a house. The rest of the first run uses the console's other routes.

import * as z from 'zod/mini'
import * as calls from '../calls/setup.ts'
import { defineRoute } from '../route.ts'
import { displayName, instant, password, requestId, username } from '../wire.ts'
import { linkToken } from './credentials.ts'
import { loggedInUser, sessionId, sessionState } from './sessions.ts'

/** Life of a set-up address and of the second owner's link, in hours. */
export const SETUP_LINK_HOURS = 24
export const OWNER_LINK_HOURS = 72

export const createFirstOwner = defineRoute({
  ...calls.createFirstOwner,
  access: 'anyone',
  summary:
    'Makes the first owner with the token of the set-up address that the machine has printed, and opens its session. It works until there is an owner',
  body: z.strictObject({
    token: linkToken,
    username,
    display_name: displayName,
    password,
    /** The company's display name. */
    house_name: displayName,
  }),
  reply: loggedInUser,
  top_level: z.strictObject({ sessionId, session: sessionState }),
})

export const inviteOwner = defineRoute({
  ...calls.inviteOwner,
  access: 'office',
  needs: 'staff.do',
  step_up: true,
  summary:
    'Makes the second owner, who sets the password by a link that works once. As long as the link was not used, the same username gets another one. Two people make further owners',
  body: z.strictObject({ request_id: requestId, username, display_name: displayName }),
  reply: z.strictObject({
    username: z.string(),
    /** Shown once; null if the call is repeated. */
    link: z.nullable(z.string()),
    expires_at: instant,
  }),
})
