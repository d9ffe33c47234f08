// Building blocks of the wire: the fields that many replies share. Amounts are satang, instants UTC ISO-8601.

import { betTypeCodes, orderStatuses } from '@megalot/rules'
import * as z from 'zod/mini'

export const betTypeCode = z.enum(betTypeCodes)
export const userStatus = z.enum(['NORMAL', 'SUSPENDED', 'DISABLED_BET'])
export const userLevel = z.enum(['company', 'super_senior', 'senior', 'master', 'agent', 'member'])
export const orderStatus = z.enum(orderStatuses)
export const periodStatus = z.enum(['upcoming', 'open', 'closed', 'settled', 'void'])

/** Free text of a person: any letters, no control characters or halves of characters, which databases and screens choke on. */
export function freeText(least: number, most: number) {
  // oxlint-disable-next-line no-control-regex
  return z.string().check(z.minLength(least), z.maxLength(most), z.regex(/^[^\u0000-\u001f\u007f\ud800-\udfff]*$/u))
}

/** Why something is done to somebody else: three characters at least, spaces around them not counted. */
export const reason = freeText(3, 200).check(z.regex(/\S.+\S/u))

/** Whole satang, never negative. */
export const satang = z.int().check(z.minimum(0))
/** Whole satang that may be negative (balances, movements). */
export const signedSatang = z.int()
export const instant = z.string()
/** A calendar day in Asia/Bangkok, yyyy-mm-dd. */
export const day = z.iso.date().check(z.regex(/^(19|2\d)/))
/** The first and the last that it takes. */
export const FIRST_DAY = '1900-01-01'
export const LAST_DAY = '2999-12-31'
export const productCode = z.string().check(z.regex(/^[a-z0-9]+(-[a-z0-9]+)*$/), z.maxLength(40))
export const periodCode = z.string().check(z.regex(/^[a-z0-9]+(-[a-z0-9]+)*$/), z.maxLength(60))
export const packageCode = z.string().check(z.regex(/^[a-z0-9]+(-[a-z0-9]+)*$/), z.maxLength(40))
/** Upper and lower case are the same person. */
export const username = z.string().check(z.regex(/^[A-Za-z0-9]{2,255}$/))
/** Any characters; the least and the most are the specification's. */
export const password = z.string().check(z.minLength(4), z.maxLength(100))
/** As much of the form of an address as keeps mail from going astray; whether it is somebody's only a mail can tell. */
export const email = z
  .string()
  .check(z.maxLength(254), z.regex(/^[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]+@[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)+$/))
/** Made by the client before it sends anything, so that a lost reply can be found again. */
export const requestId = z.string().check(z.regex(/^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/))
/**
 * The fields of a form that a person must send: with them come the four characters of the picture, or, for those who cannot
 * see it, a proof of work made for the same request_id.
 */
export function withCaptcha<const Fields extends Record<string, z.ZodMiniType>>(fields: Fields) {
  const captcha_txt = z.string().check(z.minLength(4), z.maxLength(4))
  const captcha_proof = z.string().check(z.minLength(1), z.maxLength(1_000))
  return z.union([
    z.strictObject({ ...fields, request_id: requestId, captcha_txt }),
    z.strictObject({ ...fields, request_id: requestId, captcha_proof }),
  ])
}
/** One market, or several with commas between. */
export const productCodes = z
  .string()
  .check(z.regex(/^[a-z0-9]+(-[a-z0-9]+)*(,[a-z0-9]+(-[a-z0-9]+)*)*$/), z.maxLength(1_000))
/** A file that the browser keeps: CSV as spreadsheets take it, with a byte order mark, so that Thai text is read right. */
export const textFile = z.strictObject({ filename: z.string(), text: z.string() })
/** Query strings are text; this is a whole number written in them. */
export const queryNumber = z.string().check(z.regex(/^\d{1,6}$/))
/** Ids in paths are text; this is a positive whole number written in one. */
export const pathId = z.string().check(z.regex(/^[1-9]\d{0,15}$/))

export const user = z.strictObject({
  user_id: z.int(),
  username: z.string(),
  display_name: z.string(),
  level: userLevel,
  is_office: z.boolean(),
  /** The strictest of the user's own status and those of all its uplines. */
  status: userStatus,
  credit_used_satang: satang,
  credit_remain_satang: signedSatang,
})

export const period = z.strictObject({
  period_code: periodCode,
  product_code: productCode,
  /** The day of the period in Asia/Bangkok. */
  period_date: day,
  /** 1…n for a market with several rounds a day, else null. */
  round: z.nullable(z.int()),
  open_at: instant,
  close_at: instant,
  draw_at: instant,
  status: periodStatus,
})

export const drawResult = z.strictObject({
  top3: z.string(),
  bottom2: z.string(),
  first_prize: z.optional(z.string()),
  front3: z.optional(z.readonly(z.array(z.string()))),
  back3: z.optional(z.readonly(z.array(z.string()))),
})

export const betTypeTerms = z.strictObject({
  bet_type: betTypeCode,
  rate: z.int(),
  discount_rate: z.int(),
  min_satang: satang,
  max_satang: satang,
  max_per_number_satang: satang,
  is_on: z.boolean(),
})

export type User = z.output<typeof user>
export type Period = z.output<typeof period>
export type OrderStatus = z.output<typeof orderStatus>
export type PeriodStatus = z.output<typeof periodStatus>
export type UserStatus = z.output<typeof userStatus>
export type UserLevel = z.output<typeof userLevel>
