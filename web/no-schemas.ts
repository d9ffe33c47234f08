import * as zod from 'zod/mini'
import type { Plugin } from 'vite'

const NAME = 'zod/mini'
const RESOLVED = '\0no-schemas'

/**
 * Leaves the schemas of the contract out of the browser. There, a row of the contract is a method and a path, and its
 * schemas are types: only the server validates. Building a hundred schemas before the log-in page shows would cost a
 * cheap phone 8 kB and the time to run them. Every export of zod becomes one object that answers to any call or name
 * with itself.
 */
export function noSchemas(): Plugin {
  return {
    name: 'no-schemas',
    enforce: 'pre',
    resolveId: (id) => (id === NAME ? RESOLVED : null),
    load: (id) => {
      if (id !== RESOLVED) return null
      const names = Object.keys(zod).filter((name) => name !== 'default')
      return [
        'const nothing = new Proxy(function () {}, { get: () => nothing, apply: () => nothing })',
        `export { ${names.map((name) => `nothing as ${name}`).join(', ')} }`,
      ].join('\n')
    },
  }
}
