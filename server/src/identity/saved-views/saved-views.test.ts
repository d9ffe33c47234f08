// Goal: a saved view is there on every device, is shared with the right people alone, and sharing is on record.

import { beforeEach, expect, test } from 'vitest'
import { hireAssistant } from '../../../test/staff.ts'
import { findCaller } from '../../../test/nodes.ts'
import { addPerson, finishFirstLogIn, FIRST_PASSWORD } from '../../../test/scenes.ts'
import { startTestApp, type TestCaller } from '../../../test/test-app.ts'

const app = await startTestApp()
await addPerson(app.owner, 'agent02', 'agent', 'company', 100_000_000)
const assistant = { display_name: 'x', password: FIRST_PASSWORD, username: 'helper01', areas: ['people'] as const }
await hireAssistant(app.db, await findCaller(app.db, 'agent01'), assistant)
await finishFirstLogIn(app.owner, 'helper01')
const office = await app.logIn('office01')
const colleague = await app.logIn('office02')
const agent = await app.logIn('agent01')
const helper = await app.logIn('helper01')
const other = await app.logIn('agent02')
const member = await app.logIn('member01')

beforeEach(async () => void (await app.asOwner`delete from saved_views`))

const view = (name: string, search = 'level=agent') => ({ page: 'people', name, search })
const save = (by: TestCaller, body: object) => by.post('/api/admin/views', body)
const share = (by: TestCaller, body: object) => by.post('/api/admin/views/share', body)
const namesOf = async (by: TestCaller, page = 'people') =>
  (await by.get(`/api/admin/views?page=${page}`)).json.data.map(({ name }: { name: string }) => name)

test('a view is its owner’s, replaced by name, and dropped', async () => {
  expect((await save(office, view('mine'))).http).toBe(200)
  await save(office, view('mine', 'level=member'))
  expect((await office.get('/api/admin/views?page=people')).json.data).toEqual([
    { name: 'mine', search: 'level=member', is_shared: false, shared_by: null },
  ])
  expect(await namesOf(office, 'tickets')).toEqual([])
  expect(await namesOf(colleague)).toEqual([])
  await colleague.post('/api/admin/views/drop', { page: 'people', name: 'mine' })
  expect(await namesOf(office)).toEqual(['mine'])
  await office.post('/api/admin/views/drop', { page: 'people', name: 'mine' })
  expect(await namesOf(office)).toEqual([])
})

test('the office shares with the office, an agent and its assistants with each other', async () => {
  expect((await share(office, view('of the office'))).http).toBe(200)
  expect((await share(helper, view('of a helper'))).http).toBe(200)
  expect(await namesOf(colleague)).toEqual(['of the office'])
  expect(await namesOf(agent)).toEqual(['of a helper'])
  expect(await namesOf(other)).toEqual([])
  const [shown] = (await agent.get('/api/admin/views?page=people')).json.data
  expect(shown).toMatchObject({ is_shared: true, shared_by: 'helper01' })
  // Saved for oneself again, it is no longer shared.
  await save(helper, view('of a helper'))
  expect(await namesOf(agent)).toEqual([])
})

test('sharing is in the audit log, and members have no views', async () => {
  await share(office, view('on record'))
  const { data } = (await office.get('/api/admin/audit?action=share_view&ipp=1')).json
  expect(data).toMatchObject([{ actor: { username: 'office01' }, after: { name: 'on record', is_shared: true } }])
  expect((await save(member, view('none'))).http).toBe(403)
})

test('a user keeps 100 views at most, and replaces one among them', async () => {
  await app.asOwner`insert into saved_views (user_id, page, name, search)
    select user_id, 'people', n::text, '' from users, generate_series(1, 100) n where username = 'agent02'`
  expect((await save(other, view('one more'))).http).toBe(409)
  expect((await share(other, view('one more'))).http).toBe(409)
  expect((await save(other, view('7'))).http).toBe(200)
})
