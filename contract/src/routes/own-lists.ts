// What members keep on their account for the next bet: favourite markets, and sets of numbers.

import * as z from 'zod/mini'
import * as calls from '../calls/own-lists.ts'
import { NUMBER_SET_NAME_LENGTH, NUMBER_SET_ROWS } from '../limits.ts'
import { defineRoute } from '../route.ts'
import { freeText, productCode } from '../wire.ts'

/** An amount as it was typed, such as `1,000`. */
const cell = z.optional(z.string().check(z.regex(/^[0-9][0-9,.]{0,9}$/)))

/** A row of the slip: a number, and the amounts in whole Baht that were kept with it. */
export const numberSetRow = z.strictObject({
  number: z.string().check(z.regex(/^[0-9]{1,3}$/)),
  top: cell,
  bottom: cell,
  roll: cell,
  front: cell,
})
export type NumberSetRow = z.output<typeof numberSetRow>

const setName = freeText(1, NUMBER_SET_NAME_LENGTH).check(z.regex(/^\S(?:.*\S)?$/u))

export const numberSet = z.strictObject({
  name: setName,
  rows: z.array(numberSetRow).check(z.minLength(1), z.maxLength(NUMBER_SET_ROWS)),
})
export type NumberSet = z.output<typeof numberSet>

export const ownLists = z.strictObject({
  favourite_markets: z.array(productCode),
  /** The newest first. */
  number_sets: z.array(numberSet),
})
export type OwnLists = z.output<typeof ownLists>

export const getOwnLists = defineRoute({
  ...calls.getOwnLists,
  access: 'member',
  summary: "The caller's favourite markets and sets of numbers",
  reply: ownLists,
})

export const keepOwnEntry = defineRoute({
  ...calls.keepOwnEntry,
  access: 'member',
  summary: 'Keeps a favourite market or a set of numbers, in place of one of the same name',
  body_bytes: 48 * 1_024,
  body: z.union([
    z.strictObject({ list: z.literal('favourite_markets'), product_code: productCode }),
    z.strictObject({ list: z.literal('number_sets'), number_set: numberSet }),
  ]),
  reply: z.null(),
})

export const dropOwnEntry = defineRoute({
  ...calls.dropOwnEntry,
  access: 'member',
  summary: 'Drops a favourite market or a set of numbers',
  body: z.union([
    z.strictObject({ list: z.literal('favourite_markets'), product_code: productCode }),
    z.strictObject({ list: z.literal('number_sets'), name: setName }),
  ]),
  reply: z.null(),
})
