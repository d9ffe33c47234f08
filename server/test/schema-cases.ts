// Calls generated from a route's schemas: valid ones, valid ones with one mutation, and nonsense. Uses the contract's
// schemas as JSON schema, so that new routes are fuzzed too.

import type { Route } from '@megalot/contract'
import fc from 'fast-check'
import * as z from 'zod/mini'

/** The parts of JSON schema that the contract uses. */
interface Schema {
  type?: 'object' | 'array' | 'string' | 'number' | 'integer' | 'boolean' | 'null'
  const?: unknown
  enum?: unknown[]
  anyOf?: Schema[]
  allOf?: Schema[]
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
  minItems?: number
  maxItems?: number
  pattern?: string
  format?: string
  minLength?: number
  maxLength?: number
  minimum?: number
  maximum?: number
  multipleOf?: number
}

/** Existing values by field name, because random ones would never match. */
export type KnownValues = Readonly<Record<string, readonly unknown[]>>

export interface FuzzCase {
  params: unknown
  query: unknown
  body: unknown
}

const LONGEST_LIST = 4

/** Values of a schema, including known ones for the field's name. */
export function valuesOf(schema: Schema, known: KnownValues, name = ''): fc.Arbitrary<unknown> {
  const made = makeUp(schema, known)
  const there = known[name]
  return there ? fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...there) }, { weight: 1, arbitrary: made }) : made
}

function makeUp(schema: Schema, known: KnownValues): fc.Arbitrary<unknown> {
  if (schema.const !== undefined) return fc.constant(schema.const)
  if (schema.enum) return fc.constantFrom(...schema.enum)
  if (schema.anyOf) return fc.oneof(...schema.anyOf.map((one) => valuesOf(one, known)))
  if (schema.type === 'object') return objectsOf(schema, known)
  if (schema.type === 'array') {
    const maxLength = Math.min(schema.maxItems ?? LONGEST_LIST, LONGEST_LIST)
    return fc.array(valuesOf(schema.items ?? {}, known), { minLength: schema.minItems ?? 0, maxLength })
  }
  if (schema.type === 'string') return textsOf(schema)
  if (schema.type === 'boolean') return fc.boolean()
  if (schema.type === 'null') return fc.constant(null)
  if (schema.type === 'integer' || schema.type === 'number') return numbersOf(schema)
  return fc.constant(null)
}

function objectsOf({ properties = {}, required = [] }: Schema, known: KnownValues): fc.Arbitrary<unknown> {
  const fields = Object.entries(properties).map(([name, one]) => [name, valuesOf(one, known, name)] as const)
  return fc.record(Object.fromEntries(fields), { requiredKeys: required, noNullPrototype: true })
}

function numbersOf({ minimum = -1e15, maximum = 1e15, multipleOf = 1 }: Schema): fc.Arbitrary<number> {
  const [least, most] = [Math.ceil(minimum / multipleOf), Math.floor(maximum / multipleOf)]
  const small = fc.integer({ min: Math.max(least, -100), max: Math.max(least, Math.min(most, 10_000)) })
  return fc
    .oneof(
      small,
      fc.maxSafeInteger().map((value) => Math.min(Math.max(value, least), most)),
    )
    .map((value) => value * multipleOf)
}

function textsOf({ pattern, allOf, format, minLength = 0, maxLength = 40 }: Schema): fc.Arbitrary<string> {
  if (format === 'date')
    return fc
      .date({ min: new Date('1990-01-01'), max: new Date('2100-01-01'), noInvalidDate: true })
      .map((date) => date.toISOString().slice(0, 10))
  if (format === 'date-time')
    return fc
      .date({ min: new Date('1990-01-01'), max: new Date('2100-01-01'), noInvalidDate: true })
      .map((date) => date.toISOString())
  const source = pattern ?? allOf?.find((one) => one.pattern)?.pattern
  // Only mutations try the longest values that patterns allow.
  if (source !== undefined) return fc.stringMatching(new RegExp(source, 'u'), { size: 'small' })
  return fc.string({ unit: 'grapheme', minLength, maxLength: Math.min(maxLength, Math.max(minLength, 40)) })
}

/** Values that are valid for no field, or that some languages confuse with others. */
const nonsense: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom(
    -1,
    0,
    1e21,
    1e-7,
    0.1,
    Number.MAX_SAFE_INTEGER + 1,
    '1e3',
    '0x10',
    ' 1',
    'NaN',
    '๑๒๓',
    '',
    '\u0000',
    'a\u0000b',
    '\ud800',
    '\u202e',
    "'; drop table users; --",
    '../../etc/passwd',
    '%00',
    '9'.repeat(400),
    'ก'.repeat(5_000),
    null,
    true,
  ),
  fc.constantFrom([], {}, [[]], [null], { length: -1 }, ['a', 'a'], { toString: 1 }),
  fc.jsonValue({ maxDepth: 2 }),
)

/** Mutations of one position of a value: another value, a missing field, or an extra one. */
function mutate(value: unknown, at: number, other: unknown, kind: 'replace' | 'remove' | 'add'): unknown {
  if (Array.isArray(value) && value.length > 0 && kind !== 'add') {
    const index = at % value.length
    if (kind === 'remove') return value.toSpliced(index, 1)
    const mutated = typeof value[index] === 'object' ? mutate(value[index], Math.floor(at / 7), other, kind) : other
    return value.with(index, mutated)
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return other
  const entries = Object.entries(value)
  const extra = ['is_office', '__proto__', 'constructor', 'user_id', 'x'][at % 5]!
  if (kind === 'add' || entries.length === 0) return Object.fromEntries([...entries, [extra, other]])
  const [name, inside] = entries[at % entries.length]!
  if (kind === 'remove') return Object.fromEntries(entries.filter(([one]) => one !== name))
  const isDeep = typeof inside === 'object' && inside !== null && at % 3 !== 0
  const mutated = isDeep ? mutate(inside, Math.floor(at / 7), other, kind) : other
  return Object.fromEntries(entries.map(([one, old]) => [one, one === name ? mutated : old]))
}

function toSchema(schema: z.ZodMiniType): Schema {
  return z.toJSONSchema(schema, { target: 'draft-7', unrepresentable: 'any' }) as Schema
}

const parts = ['params', 'query', 'body'] as const

/**
 * Calls of a route: about two in five valid by its schemas, the others mutated in one position or nonsense.
 * @param samples fully valid calls, which are mutated too
 */
export function casesOf(route: Route, known: KnownValues, samples: readonly FuzzCase[]): fc.Arbitrary<FuzzCase> {
  const given = parts.filter((part) => route[part])
  const madeUp = fc.record({
    params: route.params ? valuesOf(toSchema(route.params), known) : fc.constant(undefined),
    query: route.query ? valuesOf(toSchema(route.query), known) : fc.constant(undefined),
    body: route.body ? valuesOf(toSchema(route.body), known) : fc.constant(undefined),
  })
  const right = fc.oneof({ weight: 3, arbitrary: madeUp }, { weight: 1, arbitrary: fc.constantFrom(...samples) })
  const mutable = given.length > 0 ? given : (['query'] as const)
  const mutated = fc
    .tuple(
      right,
      fc.constantFrom(...mutable),
      fc.nat(1_000),
      nonsense,
      fc.constantFrom('replace' as const, 'replace' as const, 'remove' as const, 'add' as const),
    )
    .map(([call, part, at, other, kind]) => ({ ...call, [part]: mutate(call[part] ?? {}, at, other, kind) }))
  const wild = fc
    .tuple(right, nonsense)
    .map(([call, body]) => ({ ...call, ...(route.body ? { body } : { query: { x: JSON.stringify(body) } }) }))
  return fc.oneof({ weight: 4, arbitrary: right }, { weight: 5, arbitrary: mutated }, { weight: 1, arbitrary: wild })
}
