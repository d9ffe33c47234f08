// SQL expressions on maintenance, for the statements of this and other modules.

import type { Maintenance } from '@megalot/contract'
import { sql } from 'kysely'

/** The scope of maintenance of the whole application; markets use their code. */
export const EVERYTHING = ''

/** SQL for the message to members about the whole application, as JSON; null without maintenance. */
export const maintenanceOfEverything = sql<Maintenance | null>`(
  select json_build_object('message_th', message_th, 'message_en', message_en,
    'until_at', to_char(until_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))
  from maintenances where scope = ${sql.lit(EVERYTHING)})`
