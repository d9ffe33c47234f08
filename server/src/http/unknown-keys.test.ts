// No handler sees a key outside its schema.

import Fastify from 'fastify'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { closeAtFileEnd } from '../../test/file-end.ts'
import { REMOVES_UNKNOWN_KEYS, removesUnknownKeys } from './unknown-keys.ts'

const known = (properties: object, required: string[] = []) => ({
  type: 'object',
  properties,
  required,
  [REMOVES_UNKNOWN_KEYS]: true,
})
const text = { type: 'string' }
const body = known({
  name: text,
  items: { type: 'array', items: known({ number: text }) },
  answer: {
    anyOf: [
      known({ picture: text, size: text }, ['picture', 'size']),
      known({ picture: text, proof: text }, ['proof']),
    ],
  },
})

const app = Fastify({ ajv: { customOptions: { removeAdditional: false, keywords: [removesUnknownKeys] } } })
app.post('/echo', { schema: { body } }, (request) => request.body)
closeAtFileEnd(() => app.close())

/** What Fastify refuses in a body. */
const isPolluting = (json: unknown) => /__proto__|constructor|prototype/.test(JSON.stringify(json))

/** Keys that no schema here has, and that JSON can express. */
const others = fc
  .dictionary(
    fc
      .string({ minLength: 1 })
      .filter((key) => !['name', 'items', 'number', 'answer', 'picture', 'size', 'proof'].includes(key)),
    fc.jsonValue({ maxDepth: 1 }),
    { noNullPrototype: true },
  )
  .filter((keys) => !isPolluting(keys))

test('unknown keys are removed at every depth, and known ones stay', async () => {
  const sent = fc.record({ top: others, ofItem: others, ofAnswer: others, hasPicture: fc.boolean() })
  await fc.assert(
    fc.asyncProperty(sent, async ({ top, ofItem, ofAnswer, hasPicture }) => {
      const answer = hasPicture ? { picture: 'a', size: 'b' } : { proof: 'c', picture: 'd' }
      const right = { name: 'x', items: [{ number: '12' }, {}], answer }
      const payload = {
        ...top,
        ...right,
        items: [{ ...ofItem, number: '12' }, ofItem],
        answer: { ...ofAnswer, ...answer },
      }
      const { statusCode, body: reply } = await app.inject({ method: 'POST', url: '/echo', payload })
      expect([statusCode, JSON.parse(reply)]).toEqual([200, right])
    }),
  )
})
