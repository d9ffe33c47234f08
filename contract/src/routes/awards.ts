// Draw results: entering and reading them.

import * as z from 'zod/mini'
import { defineRoute } from '../route.ts'
import { day, drawResult, period, periodCode, productCode } from '../wire.ts'

export const award = z.strictObject({ period, result: drawResult })
export type Award = z.output<typeof award>

export const enterAward = defineRoute({
  name: 'enterAward',
  method: 'POST',
  path: '/api/award',
  access: 'office',
  summary:
    'Enters the result of a closed period. Two different office users must enter the same; the second entry settles the period',
  query: z.strictObject({ date: day }),
  body: z.strictObject({ period_code: periodCode, result: drawResult }),
  reply: z.strictObject({
    period_code: periodCode,
    /** `entered`: waits for a second office user. `agreed`: both are equal, settlement has begun. */
    state: z.enum(['entered', 'agreed']),
  }),
})

export const listProductAwards = defineRoute({
  name: 'listProductAwards',
  method: 'GET',
  path: '/api/award',
  access: 'signed_in',
  summary: 'The last five results of a market, newest first',
  query: z.strictObject({ product_code: productCode }),
  reply: z.array(award),
})

export const getProductAwards = defineRoute({
  name: 'getProductAwards',
  method: 'GET',
  path: '/api/rewardcalc/award/get_by_product/:product_code',
  access: 'signed_in',
  summary: 'All results of a market, newest first',
  params: z.strictObject({ product_code: productCode }),
  reply: z.array(award),
})

export const listAwardsFrom = defineRoute({
  name: 'listAwardsFrom',
  method: 'GET',
  path: '/api/rewardcalc/award/list_award/:date_from',
  access: 'signed_in',
  summary: 'Results of all markets from a day on, newest first, at most 500',
  params: z.strictObject({ date_from: day }),
  reply: z.array(award),
})
