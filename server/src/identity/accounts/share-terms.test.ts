// Goal: positions, line rates and commissions fit along every line, whatever is changed where; what changes nothing writes nothing; and who sets shares
// of a large line, or tries what it may not do, keeps nobody waiting.

import { changeAs } from '../../../test/changes.ts'
import fc from 'fast-check'
import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import { takeLock } from '../../postgres/advisory-locks.ts'
import { countRead } from '../../../test/count-read.ts'
import { findCaller } from '../../../test/nodes.ts'
import { addPerson, codeOf } from '../../../test/scenes.ts'
import { startTestApp, type TestApp, type TestCaller } from '../../../test/test-app.ts'
import { changeShareTerms } from '../people/index.ts'

/** Each name with its parent: two lines, of which one has two branches. */
const parents = {
  super1: 'company',
  super2: 'company',
  senior1: 'super1',
  master1: 'senior1',
  master2: 'senior1',
  shop1: 'master1',
  shop2: 'master2',
} as const
type Name = keyof typeof parents
const names = Object.keys(parents) as Name[]
const levels = { super: 'super_senior', senior: 'senior', master: 'master', shop: 'agent' } as const

let office: TestCaller
const ids = {} as Record<Name | 'member', number>

const app = await startTestApp()
for (const name of names) {
  const level = levels[name.slice(0, -1) as keyof typeof levels]
  ids[name] = await addPerson(app.owner, name, level, parents[name])
}
ids.member = await addPerson(app.owner, 'member1', 'member', 'shop1')
office = await app.logIn('office01')

const set = (by: TestCaller, of: Name | 'member', position_rate: number, line_rate?: number) =>
  by.post(`/mgluser/downline/${ids[of]}/share`, { position_rate, line_rate, commission_rate: 0, reason: 'agreed' })

async function countWritten(): Promise<object> {
  const { rows } = await app.asOwner<object>`
    select (select count(*) from share_terms)::int as terms,
      (select count(*) from audit_log where action = 'change_share_terms')::int as audits`
  return rows[0]!
}

interface Terms {
  position: number
  line: number
  commission: number
}

/** It gives as much as it wants. */
const company: Terms = { position: 0, line: 10_000, commission: 10_000 }

/** The line from the top down to a user. */
const lineOf = (name: Name): Name[] => {
  const parent = parents[name]
  return parent === 'company' ? [name] : [...lineOf(parent), name]
}

function fits(terms: Readonly<Record<Name, Terms>>): boolean {
  return names.every((name) => {
    const parent = parents[name]
    const { position, line, commission } = terms[name]
    if (position > line) return false
    const above = parent === 'company' ? company : terms[parent]
    return commission <= above.commission && line <= above.line - above.position
  })
}

test('a change is accepted where all lines fit afterwards, and nowhere else', async () => {
  const change = fc.record({
    name: fc.constantFrom(...names),
    position: fc.integer({ min: 0, max: 6 }).map((each) => each * 500),
    // Absent: as it was, or the position where that is more.
    line: fc.option(
      fc.integer({ min: 0, max: 20 }).map((each) => each * 500),
      { nil: undefined },
    ),
    commission: fc.integer({ min: 0, max: 4 }).map((each) => each * 25),
  })
  const actor = await findCaller(app.db, 'office01')
  const none: Terms = { position: 0, line: 0, commission: 0 }
  let terms = Object.fromEntries(names.map((name) => [name, none])) as Record<Name, Terms>
  const outcomes = new Set<boolean>()
  for (const { name, position, line, commission } of fc.sample(change, { numRuns: 100, seed: 1 })) {
    const next = { ...terms, [name]: { position, line: line ?? Math.max(terms[name].line, position), commission } }
    const rates = { user_id: ids[name], position_rate: position, line_rate: line, commission_rate: commission }
    const isAccepted = await changeAs(app.db, actor, changeShareTerms, { ...rates, reason: 'agreed' }, 'approved').then(
      () => true,
      () => false,
    )
    expect({ terms, name, rates, isAccepted }).toEqual({ terms, name, rates, isAccepted: fits(next) })
    if (isAccepted) terms = next
    outcomes.add(isAccepted)
    for (const each of names) {
      const taken = lineOf(each).reduce((sum, level) => sum + terms[level].position, 0)
      expect(taken).toBeLessThanOrEqual(terms[lineOf(each)[0]!].line)
    }
  }
  expect(outcomes.size).toBe(2)
  for (const name of names.toReversed()) expect(codeOf(await set(office, name, 0, 0))).toBe('ok')
})

test('a member has no share, also by the database', async () => {
  expect(codeOf(await set(office, 'member', 0, 50))).toBe('share_over_parent')
  const insert = sql`insert into share_terms (user_id, position_rate, line_rate, commission_rate)
    values (${ids.member}, 0, 50, 0)`
  await expect(insert.execute(app.owner)).rejects.toMatchObject({ constraint: 'shares_within_line' })
})

test('what a user has already is answered as ever, and written once', async () => {
  expect(codeOf(await set(office, 'super2', 100))).toBe('ok')
  const before = await countWritten()
  const { json } = await set(office, 'super2', 100)
  expect(json.data).toEqual({ user_id: ids.super2, position_rate: 100, line_rate: 100, commission_rate: 0 })
  expect(await countWritten()).toEqual(before)
  expect(codeOf(await set(office, 'super2', 100, 150))).toBe('ok')
  expect(await countWritten()).not.toEqual(before)
})

// Defect: the sum of the positions was read for each member of the line, under the lock for which all who set shares wait.
test('a change reads no members, and those below only where it can break something', async () => {
  await app.asOwner`insert into users (username, display_name, level, parent_id, password_hash)
    select 'below' || n, 'x', 'member', ${ids.super1}, 'x' from generate_series(1, 3000) n`
  await app.asOwner`analyze users`
  const insert = (position_rate: number, commission_rate: number) => (tx: TestApp['owner']) =>
    sql`insert into share_terms (user_id, position_rate, line_rate, commission_rate)
      values (${ids.super1}, ${position_rate}, 1000, ${commission_rate})`.execute(tx)
  for (const [position_rate, commission_rate] of [
    [500, 200],
    [1_000, 100],
  ] as const)
    expect(await countRead(app.owner, 'users', insert(position_rate, commission_rate))).toBeLessThan(100)
  const lowered = await countRead(app.owner, 'users', insert(0, 100))
  const raised = await countRead(app.owner, 'users', insert(500, 100))
  expect(lowered).toBeLessThan(raised)
})

// Defect: a call was refused only once it had the lock.
test('a call that is refused waits for no other change, and keeps none waiting', async () => {
  const [parent, stranger] = [await app.logIn('senior1'), await app.logIn('super2')]
  await app.owner.transaction().execute(async (tx) => {
    await sql`select ${takeLock('shareTerms')}`.execute(tx)
    expect(codeOf(await set(stranger, 'shop1', 0))).toBe('not_found')
    expect(codeOf(await set(parent, 'shop1', 0))).toBe('not_allowed')
  })
})

// Defect: the whole line below was read.
test('a change reads agents directly below, and none further down', async () => {
  office = await app.logIn('office01')
  await app.asOwner`analyze users`
  expect(codeOf(await set(office, 'super1', 0, 1_000))).toBe('ok')
  const narrow = (tx: TestApp['owner']) =>
    sql`insert into share_terms (user_id, position_rate, line_rate, commission_rate)
      values (${ids.super1}, 1000, 1000, 0)`.execute(tx)
  // 1,001 agents stand below a master of its line.
  expect(await countRead(app.owner, 'users', narrow)).toBeLessThan(100)
})

describe('after a step back of the clock of the database', () => {
  beforeAll(async () => {
    office = await app.logIn('office01')
  })

  /** Sets terms as if the clock had stepped back by an hour since. */
  const setAhead = async (of: Name, position_rate: number, line_rate: number): Promise<void> => {
    await app.owner.transaction().execute(async (tx) => {
      await sql`alter table share_terms disable trigger date_share_terms`.execute(tx)
      await sql`insert into share_terms (user_id, position_rate, line_rate, commission_rate, since_at)
        values (${ids[of]}, ${position_rate}, ${line_rate}, 0, clock_timestamp() + interval '1 hour')`.execute(tx)
      await sql`alter table share_terms enable trigger date_share_terms`.execute(tx)
    })
  }
  const sharesOf = async (of: Name) => (await office.get(`/mgluser/downline/${ids[of]}/share`)).json.data

  // Defect: a change was dated before the one that it replaced, and never held.
  test('the last change is the one that is read, and holds when the clock has caught up', async () => {
    await setAhead('super2', 6_000, 6_000)
    expect(codeOf(await set(office, 'super2', 500))).toBe('ok')
    expect((await sharesOf('super2')).position_rate).toBe(500)
    const before = await countWritten()
    expect(codeOf(await set(office, 'super2', 500))).toBe('ok')
    expect(await countWritten()).toEqual(before)
    const { rows } = await app.asOwner`
      select position_rate from share_terms_at(${ids.super2}, clock_timestamp() + interval '2 hours')`
    expect(rows).toEqual([{ position_rate: 500 }])
  })

  // Defect: a line got more than 100 % of a stake.
  test('a line fits at every instant', async () => {
    expect(codeOf(await set(office, 'super1', 5_000, 10_000))).toBe('ok')
    await setAhead('super1', 6_000, 10_000)
    expect(codeOf(await set(office, 'senior1', 4_500))).toBe('share_over_parent')
    expect(codeOf(await set(office, 'super1', 0))).toBe('ok')
    expect(codeOf(await set(office, 'senior1', 10_000))).toBe('ok')
    const { rows } = await app.asOwner<{ position_rate: number }>`
      select sum((share_terms_at(user_id, since_at)).position_rate)::int as position_rate
      from users cross join (select distinct since_at from share_terms) instants
      where user_id in (${ids.super1}, ${ids.senior1}) group by since_at`
    expect(rows.length).toBeGreaterThan(0)
    for (const { position_rate } of rows) expect(position_rate).toBeLessThanOrEqual(10_000)
  })
})
