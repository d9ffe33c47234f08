// What an upline, or the office, sees and decides about the users below it.

import * as z from 'zod/mini'
import * as calls from '../calls/downline.ts'
import { defineRoute } from '../route.ts'
import { freeText, pageNumber, pathId, queryNumber, reason, user, userStatus } from '../wire.ts'
import { shownCredit } from './sessions.ts'

export const downlineUser = z.strictObject({
  user_id: user.shape.user_id,
  username: user.shape.username,
  display_name: user.shape.display_name,
  level: user.shape.level,
  is_office: user.shape.is_office,
  /** Null for the company. */
  parent_id: z.nullable(z.int()),
  /** The status set on this user; `status` is the strictest of it and its uplines' statuses. */
  own_status: userStatus,
  status: userStatus,
  ...shownCredit.shape,
})
export type DownlineUser = z.output<typeof downlineUser>

export const listDownline = defineRoute({
  ...calls.listDownline,
  access: 'console',
  needs: 'people.view',
  summary: 'The users under the caller, by name; everybody for the office',
  query: z.strictObject({
    /** Only the direct children of this user. */
    parent_id: z.optional(pathId),
    /** Part of the username or the display name. */
    search: z.optional(freeText(1, 100)),
    page: z.optional(pageNumber),
    ipp: z.optional(queryNumber),
  }),
  reply: z.array(downlineUser),
})

/** Above any real amount, so that sums of limits stay within safe integers. */
export const MAX_CREDIT_SATANG = 10_000_000_000_000

/** A credit limit above this requires a recently verified second factor: 100,000 Baht. */
export const STEP_UP_CREDIT_SATANG = 10_000_000

export const creditLimit = z.int().check(z.minimum(0), z.maximum(MAX_CREDIT_SATANG))

export const changeCreditLimit = defineRoute({
  ...calls.changeCreditLimit,
  access: 'console',
  needs: 'credit.do',
  step_up: { above: { credit_limit_satang: STEP_UP_CREDIT_SATANG } },
  summary:
    'Sets the credit limit of a user, by its parent or the office: all that a parent gives is never more than it has. The limit of the company itself needs two people (approval_needed)',
  params: z.strictObject({ user_id: pathId }),
  body: z.strictObject({
    credit_limit_satang: creditLimit,
    reason: z.optional(freeText(0, 200)),
  }),
  reply: downlineUser,
})

/** Hundredths of a percent in steps of 0.5 %. */
export const positionRate = z.int().check(z.minimum(0), z.maximum(10_000), z.multipleOf(50))
export const lineRate = positionRate
export const commissionRate = z.int().check(z.minimum(0), z.maximum(10_000))

export const shareTerms = z.strictObject({
  user_id: z.int(),
  /** This level's part of its downline's stakes and wins; the company takes the rest. */
  position_rate: positionRate,
  /**
   * The most that this level and all agents below it may take of a stake together. The user that sets the position sets it
   * too. It is at most the parent's limit less the parent's position, and 100 % for the company.
   */
  line_rate: lineRate,
  /**
   * This level's discount on its downline's stakes, beyond the members' discount. It never exceeds the parent's; each
   * level earns the difference to the level below.
   */
  commission_rate: commissionRate,
})
export type ShareTerms = z.output<typeof shareTerms>

/** Shares as they are set. */
export const givenShareTerms = z.strictObject({
  position_rate: positionRate,
  /** Omit to keep it, or to raise it to the position if that is higher. */
  line_rate: z.optional(lineRate),
  commission_rate: commissionRate,
})
export type GivenShareTerms = z.output<typeof givenShareTerms>

export const getShareTerms = defineRoute({
  ...calls.getShareTerms,
  access: 'signed_in',
  needs: 'terms.view',
  summary: 'Position, line rate and commission of a user, for itself, its uplines and the office',
  params: z.strictObject({ user_id: pathId }),
  reply: shareTerms,
})

export const changeShareTerms = defineRoute({
  ...calls.changeShareTerms,
  price: 'report',
  access: 'console',
  needs: 'terms.do',
  step_up: true,
  summary:
    'Sets position, line rate and commission of a user, by its parent or the office, out of what the parent has. They hold for periods that open from now on: a bet keeps the shares under which it was taken. A commission directly below the company, with which some terms return more than 100 %, takes two people (approval_needed)',
  params: z.strictObject({ user_id: pathId }),
  body: z.strictObject({ ...givenShareTerms.shape, reason }),
  reply: shareTerms,
})

export const changeUserStatus = defineRoute({
  ...calls.changeUserStatus,
  price: 'report',
  access: 'console',
  needs: 'people.do',
  summary: 'Sets the status of a user, by any of its uplines or the office; it holds for all under it from then on',
  params: z.strictObject({ user_id: pathId }),
  body: z.strictObject({ own_status: userStatus, reason }),
  reply: downlineUser,
})
