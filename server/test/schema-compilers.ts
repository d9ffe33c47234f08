// Shares compiled route schemas between applications of one process. Each test file starts one or more, and compiling
// took longer than most of their tests.

import AjvCompiler from '@fastify/ajv-compiler'
import { SerializerSelector } from '@fastify/fast-json-stringify-compiler'
import type { FastifyServerOptions } from 'fastify'

type Compilers = Required<NonNullable<NonNullable<FastifyServerOptions['schemaController']>['compilersFactory']>>

/** Compiles each schema once; the same text returns the same function. */
function compileOnce<Factory extends Compilers['buildValidator'] | Compilers['buildSerializer']>(
  factory: Factory,
): Factory {
  const compiled = new Map<string, unknown>()
  return ((...settings: [unknown, unknown]) => {
    const compile = (factory as (...settings: unknown[]) => (route: { schema: unknown }) => unknown)(...settings)
    return (route: { schema: unknown }) => {
      const key = JSON.stringify([settings, route.schema])
      if (!compiled.has(key)) compiled.set(key, compile(route))
      return compiled.get(key)
    }
  }) as Factory
}

export const schemaController: FastifyServerOptions['schemaController'] = {
  compilersFactory: {
    buildValidator: compileOnce(AjvCompiler() as NonNullable<Compilers['buildValidator']>),
    buildSerializer: compileOnce(SerializerSelector()),
  },
}
