// Goal: members reach their agent by what the agent has set, and nobody else sets it.

import { expect, test } from 'vitest'
import { app, auditOf, register, startForNewcomers } from '../../../test/newcomers.ts'
import { addPerson } from '../../../test/scenes.ts'

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
