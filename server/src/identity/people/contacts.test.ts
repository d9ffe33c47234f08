// Goal: members reach their agent by what the agent has set, and nobody else sets it; what uplines keep about a user is read
// by them alone.

import { describe, expect, test } from 'vitest'
import { app, auditOf, register, startForNewcomers } from '../../../test/newcomers.ts'
import { findCaller } from '../../../test/nodes.ts'
import { addPerson } from '../../../test/scenes.ts'
import type { TestCaller } from '../../../test/test-app.ts'

await startForNewcomers()
await addPerson(app.db, 'other1', 'agent', 'company', 100_000)
await addPerson(app.db, 'player1', 'member', 'other1', 0)

test('an agent sets its contact, which its members see and members of others do not', async () => {
  const agent = await app.logIn('agent01')
  const { json } = await register()
  const member = app.callerOf(json.sessionId, json.data.user_id)
  expect((await member.get('/mgluser/contact')).json.data).toBe(null)
  const contact = { name: 'เอเยนต์ หนึ่ง', line_id: '@agent.one', phone: '081-234-5678' }
  expect((await agent.post('/mgluser/contact', contact)).json.data).toEqual(contact)
  expect((await member.get('/mgluser/contact')).json.data).toEqual(contact)
  expect((await (await app.logIn('player1')).get('/mgluser/contact')).json.data).toBe(null)
  const name = { name: 'Agent One' }
  expect((await agent.post('/mgluser/contact', name)).json.data).toEqual({ ...name, line_id: null, phone: null })
  expect((await member.get('/mgluser/contact')).json.data).toEqual({ ...name, line_id: null, phone: null })
  expect((await agent.get(`/mgluser/people/${agent.user_id}`)).json.data.contact).toEqual({
    ...name,
    line_id: null,
    phone: null,
  })
  expect((await auditOf(agent.user_id)).filter((action) => action === 'change_contact')).toHaveLength(2)
})

test.each([
  ['no name', { line_id: 'agent' }],
  ['a name of spaces', { name: '  ' }],
  ['a link as LINE id', { name: 'A', line_id: 'https://line.me/x' }],
  ['a phone of letters', { name: 'A', phone: 'call me' }],
  ['another agent', { name: 'A', user_id: 1 }],
])('with %s is refused and changes nothing', async (_name, body) => {
  const agent = await app.logIn('other1')
  expect((await agent.post('/mgluser/contact', body as never)).json.error?.code).toBe('bad_input')
  expect((await agent.get(`/mgluser/people/${agent.user_id}`)).json.data.contact).toBe(null)
})

describe('what uplines keep about a user', () => {
  const note = { phone: '089-765-4321', line_id: 'somchai.j', note: 'จ่ายทุกวันศุกร์', tags: ['จ่ายช้า', 'vip'] }
  const nothing = { phone: null, line_id: null, note: '', tags: [] }
  const keep = (by: TestCaller, user_id: number, body: object = note) =>
    by.post(`/mgluser/people/${user_id}/contact`, body)
  const noteOf = async (by: TestCaller, user_id: number) =>
    (await by.get(`/mgluser/people/${user_id}`)).json.data?.contact_note
  const namesOf = async (by: TestCaller, query: string) =>
    (await by.get(`/mgluser/people?${query}`)).json.data?.map(({ username }: { username: string }) => username)

  test('is read by its own line and the office, and by nobody else', async () => {
    const { user_id } = await findCaller(app.db, 'player1')
    const [owner, stranger, office] = [
      await app.logIn('other1'),
      await app.logIn('agent01'),
      await app.logIn('office01'),
    ]
    expect(await noteOf(owner, user_id)).toEqual(nothing)
    expect((await keep(owner, user_id)).json.data).toEqual(note)
    for (const reader of [owner, office, await app.logIn('company')])
      expect(await noteOf(reader, user_id)).toEqual(note)
    expect((await stranger.get(`/mgluser/people/${user_id}`)).json.error?.code).toBe('not_found')
    expect((await keep(stranger, user_id)).json.error?.code).toBe('not_found')
    const member = await app.logIn('player1')
    expect((await keep(member, user_id)).json.error?.code).toBe('not_allowed')
    const own = await Promise.all(
      ['/mgluser/user_data/basic', '/mgluser/contact'].map((path) => member.get(path as never)),
    )
    for (const { json } of own) expect(JSON.stringify(json)).not.toContain('4321')
  })

  test('is not shown to the user itself, neither in its profile nor in its log', async () => {
    const agent = await app.logIn('other1')
    expect((await keep(agent, agent.user_id)).json.error?.code).toBe('not_allowed')
    expect((await keep(await app.logIn('office01'), agent.user_id)).json.data).toEqual(note)
    const profile = (await agent.get(`/mgluser/people/${agent.user_id}`)).json.data
    expect([profile.contact_note, profile.tags]).toEqual([null, []])
    const acts = (await agent.get(`/mgluser/people/${agent.user_id}/acts`)).json.data
    expect(JSON.stringify(acts)).not.toContain('ศุกร์')
    expect(acts[0]).toMatchObject({
      action: 'change_contact_note',
      after: { fields: ['phone', 'line_id', 'note', 'tags'] },
    })
  })

  test('finds the user by phone, LINE id and tag, within the line of the reader', async () => {
    const { user_id } = await findCaller(app.db, 'player1')
    const owner = await app.logIn('other1')
    await keep(owner, user_id)
    for (const query of [
      'search=0897654321',
      'search=765-43',
      'search=SOMCHAI.J',
      `tag=${encodeURIComponent('จ่ายช้า')}`,
    ])
      expect([query, await namesOf(owner, query)]).toEqual([query, ['player1']])
    expect(await namesOf(owner, 'tag=other')).toEqual([])
    const stranger = await app.logIn('agent01')
    for (const query of ['search=0897654321', 'search=somchai.j', 'tag=vip'])
      expect([query, await namesOf(stranger, query)]).toEqual([query, []])
    const [found] = (await owner.get('/mgluser/people?tag=vip')).json.data
    expect(found?.tags).toEqual(note.tags)
  })

  test('has the phone number of the registration until another one is kept', async () => {
    const { user_id } = await findCaller(app.db, 'player1')
    const owner = await app.logIn('other1')
    await app.asOwner`update users set phone = '0811112222' where user_id = ${user_id}`
    await app.asOwner`delete from contact_notes where user_id = ${user_id}`
    expect(await noteOf(owner, user_id)).toEqual({ ...nothing, phone: '0811112222' })
    expect(await namesOf(owner, 'search=081-111-2222')).toEqual(['player1'])
  })

  test.each([
    ['a note of 501 characters', { note: 'x'.repeat(501) }],
    ['eleven tags', { tags: Array.from({ length: 11 }, (_, at) => `t${at}`) }],
    ['a tag with a comma', { tags: ['a,b'] }],
    ['a tag of 21 characters', { tags: ['x'.repeat(21)] }],
    ['an empty tag', { tags: [''] }],
  ])('with %s is refused', async (_name, body) => {
    const { user_id } = await findCaller(app.db, 'player1')
    expect((await keep(await app.logIn('other1'), user_id, body)).json.error?.code).toBe('bad_input')
  })
})
