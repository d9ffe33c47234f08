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
      filter: { id: /\/contract\/src\/(?:routes\/)?[\w-]+\.ts$/ },
      handler(code) {
        const found = this.parse(code).body.flatMap((statement) =>
          initialisersOf(statement).flatMap((init) => replaceRow(code, init) ?? replaceSchema(init) ?? []),
        )
        // From the end, so that what was found stays where it was found.
        return found.reduceRight((rest, { start, end, text }) => rest.slice(0, start) + text + rest.slice(end), code)
      },
    },
  }
}

/** What `callRoute` asks of a row. */
const needed = new Set(['name', 'method', 'path'])

function isNeeded(key: ESTree.PropertyKey): boolean {
  return key.type === 'Identifier' && needed.has(key.name)
}

/** Zod, and the functions of the contract that return schemas to constants. */
const makers = new Set(['z', 'freeText'])

interface Replacement {
  start: number
  end: number
  text: string
}

/** What the constants of a module are set to. */
function initialisersOf(statement: ESTree.Statement | ESTree.Directive): ESTree.Expression[] {
  const declared = statement.type === 'ExportNamedDeclaration' ? statement.declaration : statement
  if (declared?.type !== 'VariableDeclaration') return []
  return declared.declarations.flatMap(({ init }) => init ?? [])
}

/** For `defineRoute({ … })`, the row with what is needed of it. */
function replaceRow(code: string, init: ESTree.Expression): Replacement | undefined {
  if (init.type !== 'CallExpression' || init.callee.type !== 'Identifier') return undefined
  const [row] = init.arguments
  if (init.callee.name !== 'defineRoute' || row?.type !== 'ObjectExpression') return undefined
  const kept = row.properties.filter((one) => one.type === 'Property' && isNeeded(one.key))
  const text = kept.map(({ start, end }) => code.slice(start, end)).join(', ')
  return { start: row.start, end: row.end, text: `{ ${text} }` }
}

/** For `z.object({ … }).check(…)`, however long the chain is, what stands for a schema: the build leaves out calls only where it knows them. */
function replaceSchema(init: ESTree.Expression): Replacement | undefined {
  let root: ESTree.Expression | ESTree.Super | ESTree.PrivateIdentifier = init
  while (root.type === 'CallExpression' || root.type === 'MemberExpression')
    root = root.type === 'CallExpression' ? root.callee : root.object
  const isSchema = init.type === 'CallExpression' && root.type === 'Identifier' && makers.has(root.name)
  return isSchema ? { start: init.start, end: init.end, text: 'z.any' } : undefined
}
