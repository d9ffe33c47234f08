// A JSON schema keyword that removes unknown keys of an object, so that handlers cannot use them.

import type { FastifyServerOptions } from 'fastify'

type AjvOptions = NonNullable<NonNullable<FastifyServerOptions['ajv']>['customOptions']>
type Keyword = Exclude<NonNullable<AjvOptions['keywords']>[number], string>

export const REMOVES_UNKNOWN_KEYS = 'x-removes-unknown-keys'

/** For Ajv. Runs after an object's other keywords, so a failing branch of `anyOf` removes nothing. */
export const removesUnknownKeys: Keyword = {
  keyword: REMOVES_UNKNOWN_KEYS,
  type: 'object',
  schemaType: 'boolean',
  modifying: true,
  compile: (_isOn: boolean, schema: object) => {
    const { properties = {} } = schema as { properties?: object }
    const known: ReadonlySet<string> = new Set(Object.keys(properties))
    return (data: Record<string, unknown>): boolean => {
      for (const key in data) if (!known.has(key)) delete data[key]
      return true
    }
  },
}
