// During a roll-out, old and new nodes use one database, so a migration only adds (expand). A removal (contract) waits
// for a release whose nodes no longer need what it removes, and names that release in its first line: `-- contract:
// 1.2.0`. `server/migrations/releases.json` has the last migration of each release. Before the first release, anything
// may be removed.

import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { root, runScript } from './run-step.mjs'

const releasesFile = 'releases.json'

/** A name in a statement, possibly with schema and quotes. */
const NAME = String.raw`((?:"[^"]+"|[\w$]+)(?:\.(?:"[^"]+"|[\w$]+))?)`
const OBJECT =
  'table|view|materialized view|function|procedure|aggregate|type|domain|schema|sequence|extension|role|owned|cast|operator'

/**
 * Removes comments and texts from SQL. Texts and bodies in `$$` become `''`.
 * @returns the rest, and the bodies of `do` blocks, whose statements count like others
 */
function strip(sql) {
  const blocks = []
  const rest = sql.replaceAll(
    /--[^\n]*|\/\*[\s\S]*?\*\/|(\$\w*\$)([\s\S]*?)\1|'(?:[^']|'')*'/g,
    (found, dollars, body, at) => {
      if (found.startsWith('--') || found.startsWith('/*')) return ' '
      if (dollars !== undefined && /(?:^|;)\s*do\s*(?:language\s+\w+\s*)?$/i.test(sql.slice(0, at))) blocks.push(body)
      return "''"
    },
  )
  return { rest, blocks }
}

/** Statements in lower case with single spaces. */
function listStatements(sql) {
  const { rest, blocks } = strip(sql)
  const own = rest.split(';').map((statement) => statement.toLowerCase().replaceAll(/\s+/g, ' ').trim())
  // In a block, also statements built as text: `execute 'drop table …'`.
  const inner = blocks.flatMap((block) => {
    const texts = Array.from(block.matchAll(/'((?:[^']|'')*)'/g), ([, text]) => text)
    const steps = block.replaceAll(/\b(begin|then|loop|else|declare)\b/gi, ';')
    return [steps, ...texts].flatMap(listStatements)
  })
  return [...own, ...inner].filter((statement) => statement !== '')
}

/** Splits a list at its commas outside brackets. */
function splitList(text) {
  const parts = ['']
  let depth = 0
  for (const sign of text) {
    if (sign === '(') depth += 1
    if (sign === ')') depth -= 1
    if (sign === ',' && depth === 0) parts.push('')
    else parts[parts.length - 1] += sign
  }
  return parts.map((part) => part.trim())
}

/**
 * What an action of `alter table` removes that an older node needs; undefined if nothing.
 * @param widened constraints that accept all that they accepted before, by `-- widens: NAME, NAME`
 */
function findInAction(action, widened) {
  if (action.startsWith('rename')) return 'renames what older nodes use'
  if (action.startsWith('set schema')) return 'moves what older nodes use'
  if (/^(drop|alter|rename) attribute\b/.test(action)) return 'changes a type that older nodes use'
  if (/^drop (?!constraint\b)/.test(action)) return 'drops a column that older nodes use'
  if (/^alter (column )?\S+ (set data )?type\b/.test(action)) return 'changes the type of a column'
  if (/^alter (column )?\S+ set not null/.test(action)) return 'refuses a null that older nodes may write'
  if (/^alter (column )?\S+ drop default/.test(action)) return 'removes a default that older nodes rely on'
  if (/^(enable|force) row level security/.test(action)) return 'hides rows from older nodes'
  const added = /^add constraint (\S+)/.exec(action)
  if (added && widened.has(added[1])) return undefined
  if (/^add (constraint|check|unique|primary key|foreign key|exclude)\b/.test(action))
    return 'adds a constraint that rows of older nodes may violate'
  if (
    /^add\b/.test(action) &&
    /\b(not null|primary key)\b/.test(action) &&
    !/\b(default|generated|(big|small)?serial)\b/.test(action)
  )
    return 'adds a column that older nodes leave out and that has no default'
  return undefined
}

function findInStatement(statement, isNew, widened) {
  const dropped = new RegExp(`^drop (${OBJECT}) (?:concurrently )?(?:if exists )?${NAME}`).exec(statement)
  if (dropped) return isNew(dropped[2]) ? [] : [`drops the ${dropped[1]} ${dropped[2]}`]
  if (/^truncate\b/.test(statement)) return ['empties a table']
  const revoked = new RegExp(`^revoke .*? on (?:(?:${OBJECT}) )?${NAME}`).exec(statement)
  if (revoked) return isNew(revoked[1]) ? [] : ['takes a right away that older nodes use']
  const unique = new RegExp(`^create unique index .*?\\bon (?:only )?${NAME}`).exec(statement)
  if (unique) return isNew(unique[1]) ? [] : ['adds a unique index that rows of older nodes may violate']
  const altered = new RegExp(
    `^alter (?:${OBJECT}|foreign table) (?:if exists )?(?:only )?${NAME}(?: ?\\([^)]*\\))? ?\\*? (.*)$`,
  ).exec(statement)
  if (!altered || isNew(altered[1])) return []
  return splitList(altered[2]).flatMap((action) => findInAction(action, widened) ?? [])
}

/** What an older node cannot work with in a migration, one sentence each. */
export function findContractions(sql) {
  const statements = listStatements(sql)
  const created = new RegExp(
    `^create (?:or replace )?(?:temp |temporary |unlogged )?(?:${OBJECT}) (?:if not exists )?${NAME}`,
  )
  // `create or replace` may replace what was there.
  const own = new Set(
    statements.flatMap((statement) =>
      statement.startsWith('create or replace') ? [] : (created.exec(statement)?.[1] ?? []),
    ),
  )
  const dropped = new Set(
    statements.flatMap((statement) => Array.from(statement.matchAll(/drop constraint ([^\s,]+)/g), ([, name]) => name)),
  )
  const named = Array.from(sql.matchAll(/^-- widens: (.+)$/gm), ([, names]) => names.split(/,\s*/)).flat()
  const widened = new Set(named.filter((name) => dropped.has(name)))
  return statements.flatMap((statement) => findInStatement(statement, (name) => own.has(name), widened))
}

/** Problems with the migrations of a folder, one sentence each. */
export function findMigrationSteps(folder) {
  const file = join(folder, releasesFile)
  const releases = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {}
  const names = readdirSync(folder)
    .filter((name) => name.endsWith('.sql'))
    .toSorted()
  const problems = Object.entries(releases)
    .filter(([, last]) => !names.includes(last))
    .map(([release, last]) => `${releasesFile}: ${last}, the last of ${release}, is not there`)
  const first = names.find((name) => Object.values(releases).includes(name))
  if (first === undefined) return problems
  for (const name of names.filter((each) => each > first)) {
    const sql = readFileSync(join(folder, name), 'utf8')
    const waitsFor = /^-- contract: *(\S*)/.exec(sql)?.[1]
    const found = findContractions(sql)
    if (waitsFor === undefined)
      problems.push(
        ...found.map((what) => `${name} ${what}: wait for a release without it, then begin with -- contract: RELEASE`),
      )
    else if (found.length === 0) problems.push(`${name} takes nothing away: it is no contract migration`)
    else if (releases[waitsFor] === undefined)
      problems.push(`${name} waits for the release ${waitsFor}, which is not out`)
    else if (name <= releases[waitsFor]) problems.push(`${name} is part of ${waitsFor}, for which it has to wait`)
  }
  return problems
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  await runScript(() => {
    const problems = findMigrationSteps(join(root, 'server', 'migrations'))
    for (const problem of problems) console.error(problem)
    return Math.min(problems.length, 1)
  })
}
