// Intake with the database as it is, in turn with the constraints and the trigger from before money.

import type pg from 'pg'
import { awaitCounted, measureLoad, prepareTarget, tidyTables, type Window } from '../intake/load-target.ts'
import type { App } from '../app/with-app.ts'

const WARM_UP_S = 8
const WINDOW_S = 4

/** By pairs. */
export interface IntakeWindows {
  without: Window[]
  with: Window[]
}

const without = `
  alter table users disable trigger open_edges;
  alter table accounts drop constraint accounts_kind_check, drop constraint accounts_of_users,
    drop constraint accounts_of_users_have_a_floor,
    add constraint accounts_kind_check check (kind in ('cash', 'held', 'period')) not valid,
    add constraint accounts_of_users check ((kind in ('cash', 'held')) = (user_id is not null)) not valid,
    add constraint accounts_of_users_have_a_floor check ((kind = 'period') = (floor_satang is null)) not valid;
  alter table entries drop constraint entries_kind_check, add constraint entries_kind_check check (kind in ('bet_hold',
    'bet', 'bet_release', 'win', 'refund', 'reversal', 'credit_change', 'transfer', 'adjustment', 'commission')) not valid`

/** The constraints as they are. */
async function readConstraints(database: pg.Client): Promise<string> {
  const { rows } = await database.query<{ statement: string }>(
    `select format('alter table %s drop constraint %I, add constraint %I %s not valid', conrelid::regclass, conname, conname,
        replace(pg_get_constraintdef(oid), ' NOT VALID', '')) as statement
      from pg_constraint
      where conname in ('accounts_kind_check', 'accounts_of_users', 'accounts_of_users_have_a_floor', 'entries_kind_check')`,
  )
  return ['alter table users enable trigger open_edges', ...rows.map(({ statement }) => statement)].join(';')
}

export async function measureIntakeInPairs(
  app: App,
  pairs: number,
  report: (line: string) => void,
): Promise<IntakeWindows> {
  const target = await prepareTarget(app)
  const { database } = target
  try {
    const states = { with: await readConstraints(database), without }
    await tidyTables(target)
    await measureLoad(target, WARM_UP_S)
    const windows: IntakeWindows = { with: [], without: [] }
    for (let pair = 0; pair < pairs; pair += 1) {
      // Each goes first in turn.
      for (const which of pair % 2 === 0 ? (['without', 'with'] as const) : (['with', 'without'] as const)) {
        await awaitCounted(database)
        await database.query(states[which])
        windows[which].push(await measureLoad(target, WINDOW_S))
      }
      const [off, on] = [windows.without, windows.with].map((of) => Math.round(of.at(-1)!.tickets_per_s))
      report(`  without ${off} tickets a second, with ${on}`)
    }
    await database.query(states.with)
    return windows
  } finally {
    await database.end()
  }
}
