// Checks that the targets of the documents exist: linked files, source files named in backticks, and in the list of
// requirements every name and test title after a link. Also checks that the list of decisions names each decision by
// its title.

import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join, posix } from 'node:path'
import { pathToFileURL } from 'node:url'
import { root, runScript } from './run-step.mjs'

/** The document whose tables name a test for each requirement. */
const requirements = 'docs/SPECIFICATION.md'
/** The document that lists all decisions. */
const decisions = 'docs/decisions/README.md'
/** Heading of the column that names the tests. */
const testColumn = 'proved by'

const definition = /^\[([^\]]+)\]:\s*(\S+)/gm
const withoutCode = (text) => text.replaceAll(/```[\s\S]*?```/g, '').replaceAll(/`[^`\n]*`/g, '')
const fileOf = (path, target) => posix.join(posix.dirname(path), decodeURIComponent(target.replace(/#.*$/, '')))

/**
 * The files that a document links to, as paths from the root. Web addresses and anchors in the same document are left
 * out.
 */
export function listLinks(path, text) {
  const plain = withoutCode(text)
  const targets = [/\]\(\s*([^()\s]+)(?:\s+"[^"]*")?\s*\)/g, /<img[^>]*\ssrc="([^"]+)"/g].flatMap((form) =>
    Array.from(plain.matchAll(form), ([, target]) => target),
  )
  return [...targets, ...Array.from(plain.matchAll(definition), ([, , target]) => target)]
    .filter((target) => !/^(?:[a-z]+:|#)/.test(target))
    .map((target) => fileOf(path, target))
}

/** The source files that a document names in backticks, by name or by the end of their path. */
function listNamedSources(text) {
  return Array.from(
    text.replaceAll(/```[\s\S]*?```/g, '').matchAll(/`([a-z0-9@._/-]+\.(?:tsx?|mts|mjs|sql))`/g),
    ([, name]) => name,
  )
}

/**
 * The rows of a document's tables, cell by cell. A bar inside a cell is written `\
 * `.
 */
export function listRows(text) {
  return text
    .split('\n')
    .map((line, index) => ({ line: line.trim(), number: index + 1 }))
    .filter(({ line }) => line.startsWith('|') && !/^\|[\s|:-]+\|$/.test(line))
    .map(({ line, number }) => ({
      number,
      cells: line
        .slice(1, -1)
        .split(/(?<!\\)\|/)
        .map((cell) => cell.trim().replaceAll('\\|', '|')),
    }))
}

/** The links of a cell, `[label]`, each with the names in backticks up to the next link. */
function readCell(cell) {
  const found = []
  for (const [, label, name] of cell.matchAll(/\[([^\]]+)\]|`([^`]+)`/g)) {
    if (label !== undefined) found.push({ label, names: [] })
    // Text before the first link, and paths of pages, are not checked.
    else if (!name.startsWith('/')) found.at(-1)?.names.push(name)
  }
  return found
}

/**
 * Problems in the list of requirements: an empty cell, a row without a test, a link without a file, a name that the
 * file does not contain.
 * @param readText returns the text of a file, or null if there is none
 */
export function checkRequirements(path, text, readText) {
  const files = new Map(Array.from(text.matchAll(definition), ([, label, target]) => [label, fileOf(path, target)]))
  const problems = []
  let head = []
  for (const { number, cells } of listRows(text)) {
    const say = (problem) => problems.push(`${path}:${number}: ${problem}`)
    if (cells.includes(testColumn)) {
      head = cells
      continue
    }
    if (cells.length !== head.length) {
      say(`${cells.length} cells instead of ${head.length}`)
      continue
    }
    if (cells.includes('')) say('an empty cell')
    if (!readCell(cells[head.indexOf(testColumn)]).some(({ names }) => names.length > 0)) say('no test')
    for (const { label, names } of cells.flatMap(readCell)) {
      const file = files.get(label)
      if (file === undefined) say(`[${label}] leads nowhere`)
      const source = file === undefined ? null : readText(file)
      if (source !== null) for (const name of names) if (!source.includes(name)) say(`${file} does not hold "${name}"`)
    }
  }
  return problems
}

/** Conflict markers of a merge; a formatter may have put them into a table or a quote. */
function listConflictMarks(path, text) {
  return text
    .split('\n')
    .flatMap((line, index) =>
      /<{7} |>{7} |(?:> ){7}/.test(line) ? [`${path}:${index + 1}: a mark of a merge conflict`] : [],
    )
}

/**
 * Decisions missing in their list.
 * @param texts the documents, path → text
 */
function checkDecisions(texts) {
  const list = texts.get(decisions)
  if (list === undefined) return []
  return Array.from(texts)
    .filter(([path]) => /^docs\/decisions\/\d{4}-[^/]+\.md$/.test(path))
    .map(([path, text]) => `[${text.split('\n', 1)[0].replace(/^# /, '')}](${posix.basename(path)})`)
    .filter((link) => !list.includes(link))
    .map((link) => `${decisions}: ${link} is missing`)
}

/**
 * @param texts the documents, path → text
 * @param sources the paths of all files
 */
export function checkDocuments(texts, readText, exists, sources) {
  const ends = new Set(
    sources.flatMap((path) => path.split('/').map((_, index, parts) => parts.slice(index).join('/'))),
  )
  const problems = Array.from(texts, ([path, text]) => [
    ...listConflictMarks(path, text),
    ...listLinks(path, text)
      .filter((target) => !exists(target))
      .map((target) => `${path}: ${target} does not exist`),
    ...listNamedSources(text)
      .filter((name) => !ends.has(name))
      .map((name) => `${path}: there is no ${name}`),
    ...(path === requirements ? checkRequirements(path, text, readText) : []),
  ])
  return [...problems.flat(), ...checkDecisions(texts)]
}

const exists = (path) => existsSync(join(root, path))
const readText = (path) => (exists(path) ? readFileSync(join(root, path), 'utf8') : null)

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  await runScript(() => {
    const sources = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], { cwd: root })
      .toString()
      .split('\n')
      .filter((path) => path !== '' && exists(path))
    const paths = sources.filter((path) => path.endsWith('.md'))
    const problems = checkDocuments(new Map(paths.map((path) => [path, readText(path)])), readText, exists, sources)
    for (const problem of problems) console.error(problem)
    const isGood = problems.length === 0
    console.error(isGood ? `${paths.length} documents: what they point to is there` : `${problems.length} problems`)
    return isGood ? 0 : 1
  })
}
