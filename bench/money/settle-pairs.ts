// Settlement with the moving of results and edges, in turn with a settlement that writes the rollups only.

import { readFileSync } from 'node:fs'
import type pg from 'pg'
import type { Client } from '../client.ts'
import { settleClosedPeriod } from '../seeding/settle-period.ts'
import type { ClosedPeriod } from '../seeding/write-tickets.ts'

export interface SettleTimes {
  /** In ms. */
  without: number[]
  with: number[]
}

/** The trigger function before money. @throws Error if the migration no longer has it */
function readFormerRollUp(): string {
  const migration = readFileSync(new URL('../../server/migrations/0009-reports.sql', import.meta.url), 'utf8')
  const [found] = /create function roll_up_settled_period\(\)[\s\S]*?end \$\$;/.exec(migration) ?? []
  if (found === undefined) throw new Error('0009-reports.sql has no roll_up_settled_period')
  return found.replace('create function', 'create or replace function')
}

/** Settles the periods in pairs, each pair in the other order. Afterwards all results are moved. */
export async function settleInPairs(
  database: pg.Client,
  office: readonly Client[],
  periods: readonly ClosedPeriod[],
  report: (line: string) => void,
): Promise<SettleTimes> {
  const { rows } = await database.query<{ definition: string }>(
    `select pg_get_functiondef('roll_up_settled_period'::regproc) as definition`,
  )
  const definitions = { with: rows[0]!.definition, without: readFormerRollUp() }
  const times: SettleTimes = { with: [], without: [] }
  for (const [at, period] of periods.entries()) {
    const which = at % 4 === 0 || at % 4 === 3 ? 'without' : 'with'
    await database.query(definitions[which])
    const ms = await settleClosedPeriod(database, office, period)
    times[which].push(ms)
    report(`  ${which} results and edges: ${Math.round(ms)} ms`)
    if (which === 'without') await database.query(`select move_results($1, 0, '{}')`, [period.period_id])
  }
  await database.query(definitions.with)
  return times
}
