import * as zod from 'zod/mini'
import type { ESTree, Plugin } from 'vite'

const NAME = 'zod/mini'
const RESOLVED = '\0no-schemas'

/**
 * Leaves the schemas of the contract out of the browser. There, a row of the contract is a method and a path, and its
 * schemas are types: only the server validates. Building a hundred schemas before the log-in page shows would cost a
 * cheap phone 8 kB and the time to run them. Every export of zod becomes one object that answers to any call or name
 * with itself, and of a row only what a call needs stays: what else it says is a dozen kilobytes of text.
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
    transform: {
      // After the types are gone.
      order: 'post',
      filter: { id: /\/contract\/src\/routes\/[\w-]+\.ts$/ },
      handler(code) {
        const rows = this.parse(code).body.flatMap(findRow)
        // From the end, so that what was found stays where it was found.
        return rows.reduceRight((rest, row) => {
          const kept = row.properties.filter((one) => one.type === 'Property' && isNeeded(one.key))
          const text = kept.map(({ start, end }) => code.slice(start, end)).join(', ')
          return `${rest.slice(0, row.start)}{ ${text} }${rest.slice(row.end)}`
        }, code)
      },
    },
  }
}

/** What `callRoute` asks of a row. */
const needed = new Set(['name', 'method', 'path'])

function isNeeded(key: ESTree.PropertyKey): boolean {
  return key.type === 'Identifier' && needed.has(key.name)
}

/** The object in `export const row = defineRoute({ … })`. */
function findRow(statement: ESTree.Statement | ESTree.Directive): ESTree.ObjectExpression[] {
  if (statement.type !== 'ExportNamedDeclaration' || statement.declaration?.type !== 'VariableDeclaration') return []
  return statement.declaration.declarations.flatMap(({ init }) => {
    if (init?.type !== 'CallExpression' || init.callee.type !== 'Identifier') return []
    const [row] = init.arguments
    return init.callee.name === 'defineRoute' && row?.type === 'ObjectExpression' ? [row] : []
  })
}
