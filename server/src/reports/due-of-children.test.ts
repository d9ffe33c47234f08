// Goal: the parent and the child read the same figure for what the child passes up, and it is what settlement has moved
// on the edge between them.

import { getWinLossSummary } from '@megalot/contract'
import { expect, test } from 'vitest'
import { closeEarly } from '../../test/changes.ts'
import { addPerson, agreeOnResult, dayOf, makeResult, openPeriod, placeTicket, ticketOn } from '../../test/scenes.ts'
import { startTestApp, type TestCaller } from '../../test/test-app.ts'
import { getPeriodRecord } from '../markets/index.ts'
import { settlePeriod } from '../results/index.ts'

const app = await startTestApp()

async function addLine(): Promise<void> {
  await addPerson(app.owner, 'master01', 'master', 'company', 300_000_000)
  await addPerson(app.owner, 'agent02', 'agent', 'master01', 100_000_000)
  for (const [name, parent] of [
    ['below01', 'agent02'],
    ['below02', 'agent02'],
    ['direct01', 'master01'],
  ] as const)
    await addPerson(app.owner, name, 'member', parent, 5_000_000)
  await app.asOwner`
    insert into share_terms (user_id, position_rate, line_rate, commission_rate, since_at)
    select user_id, position_rate, line_rate, commission_rate, now() - interval '1 day'
    from (values ('master01', 2500, 9000, 300), ('agent02', 3350, 6000, 150))
      terms (username, position_rate, line_rate, commission_rate)
      join users using (username)`
}

test('a child owes its parent in the line report what it passes up in its own', async () => {
  await addLine()
  const people = await Promise.all(['below01', 'below02', 'direct01'].map((name) => app.logIn(name)))
  const [master, agent, company] = await Promise.all([
    app.logIn('master01'),
    app.logIn('agent02'),
    app.logIn('company'),
  ])
  const days = new Set<string>()
  // The members lose in the first period, and win more than that in the second.
  for (const top3 of ['999', '123']) {
    const period_code = await openPeriod(app.owner)
    days.add(dayOf(period_code))
    for (const member of people) await placeTicket(member, ticketOn(period_code, [['123', 17]]))
    await closeEarly(app.db, period_code)
    await agreeOnResult(app, period_code, makeResult(top3))
    await settlePeriod(app.db, (await getPeriodRecord(app.db, period_code)).period_id)
    const [date_from, date_to] = [[...days].toSorted()[0]!, [...days].toSorted().at(-1)!]
    const read = async (caller: TestCaller, user_id?: number) => {
      const body = { date_from, date_to, group_by: 'user', ...(user_id === undefined ? {} : { user_id }) }
      return (await caller.post(getWinLossSummary.path, body)).json.data
    }
    const edges = await app.asOwner<{ username: string; owed: number }>`
      select username, (0 - balance_satang)::bigint as owed from edges join users on user_id = child_id`
    const owed = new Map(edges.rows.map((row) => [row.username, row.owed]))

    const own = await read(agent)
    expect(own.subject).toEqual({ user_id: agent.user_id, username: 'agent02', level: 'agent' })
    const ofMaster = await read(master)
    const dues = new Map(ofMaster.rows.map((row) => [row.user!.username, row.due_satang]))
    const pass_up = own.totals.upline.total_satang
    expect(Math.sign(pass_up)).toBe(top3 === '999' ? 1 : -1)
    // Nobody has paid yet, so each balance is what the span left due.
    expect(dues.get('agent02')).toBe(pass_up)
    expect(owed.get('agent02')).toBe(pass_up)
    expect(dues.get('direct01')).toBe(owed.get('direct01'))
    expect((await read(master, agent.user_id)).totals).toEqual(own.totals)
    expect((await read(master, people[2]!.user_id)).totals.upline.total_satang).toBe(dues.get('direct01'))

    expect(ofMaster.totals.due_satang).toBe(dues.get('agent02')! + dues.get('direct01')!)
    expect(ofMaster.totals.level.total_satang + ofMaster.totals.upline.total_satang).toBe(ofMaster.totals.due_satang)
    const ofCompany = await read(company)
    expect(ofCompany.rows.find((row) => row.user!.username === 'master01')!.due_satang).toBe(
      ofMaster.totals.upline.total_satang,
    )
    expect(owed.get('master01')).toBe(ofMaster.totals.upline.total_satang)
    expect(ofCompany.totals.upline.total_satang).toBe(0)
  }
})
