// Whether the house is ready for real bets: what `office doctor` prints.

import * as z from 'zod/mini'
import * as calls from '../calls/readiness.ts'
import { type DataOf, defineRoute } from '../route.ts'
import { email } from '../wire.ts'

export const listReadiness = defineRoute({
  ...calls.listReadiness,
  access: 'office',
  needs: 'staff.view',
  summary: 'Checks of the set-up: TLS, mail, backups, owners, log-ins of the database, markets, each with what to do',
  reply: z.array(
    z.strictObject({
      check: z.string(),
      /** `wrong`: money or access is at risk; `warning`: something is missing. */
      state: z.enum(['ok', 'warning', 'wrong']),
      title_th: z.string(),
      title_en: z.string(),
      /** What to do; null where all is well. */
      todo_th: z.nullable(z.string()),
      todo_en: z.nullable(z.string()),
      /** What was found, such as names of markets; null if there is nothing to add. */
      found: z.nullable(z.string()),
    }),
  ),
})
export type ReadinessCheck = DataOf<typeof listReadiness>[number]

export const sendTestMail = defineRoute({
  ...calls.sendTestMail,
  access: 'office',
  needs: 'staff.do',
  summary: 'Sends a mail to an address, and says what the mail server replied where that fails',
  body: z.strictObject({ to: email }),
  reply: z.strictObject({
    /** False without SMTP_URL: nothing was sent. */
    has_server: z.boolean(),
    /** What failed; null if the mail server took the mail. */
    error: z.nullable(z.string()),
  }),
})
