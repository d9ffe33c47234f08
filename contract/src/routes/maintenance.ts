// Maintenance: times when members are kept out.

import * as z from 'zod/mini'
import * as calls from '../calls/maintenance.ts'
import { defineRoute } from '../route.ts'
import { freeText, instant, productCode, reason } from '../wire.ts'

export const maintenance = z.strictObject({
  message_th: z.string(),
  message_en: z.string(),
  /** Expected end; null if unknown. */
  until_at: z.nullable(instant),
})
export type Maintenance = z.output<typeof maintenance>

export const checkMaintenance = defineRoute({
  ...calls.checkMaintenance,
  is_specified: true,
  access: 'anyone',
  summary: 'Whether members are kept out at present, of everything or of single markets',
  reply: z.strictObject({
    is_maintained: z.boolean(),
    /** Maintenance of the whole application. */
    maintenance: z.nullable(maintenance),
    /** Markets that accept no tickets during their maintenance. */
    products: z.array(z.strictObject({ product_code: productCode, ...maintenance.shape })),
  }),
})

export const setMaintenance = defineRoute({
  ...calls.setMaintenance,
  access: 'office',
  needs: 'maintenance.do',
  summary: 'Begins, changes or ends maintenance, of one market or of everything; only office users get in meanwhile',
  body: z.strictObject({
    /** Omit for the whole application. */
    product_code: z.optional(productCode),
    is_on: z.boolean(),
    message_th: z.optional(freeText(1, 500)),
    message_en: z.optional(freeText(1, 500)),
    until_at: z.optional(z.iso.datetime({ offset: true })),
    reason,
  }),
  reply: z.null(),
})
