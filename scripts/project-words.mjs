// Checks the project's text: no marks of unfinished work, no paths of a developer's machine; and that each
// file has a name that somebody gave it. Long files are listed as well; that is advice, not a failure.

import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { root, runScript } from './run-step.mjs'

const words = [
  { pattern: /\b(?:TODO|FIXME|XXX|HACK)\b/, why: 'unfinished work' },
  { pattern: /\.\.\/shared\b|\/work\//, why: "a place on a developer's machine" },
  { pattern: /\b[Ii]ssue #?\d+\b/, why: 'a number that means nothing to a reader' },
  { pattern: /\blorem ipsum\b/i, why: 'filler text' },
  { pattern: /\b(?:it|test|describe)\.only\(/, why: 'a test that hides the others' },
  { pattern: /\bMOST_[A-Z]/, why: 'a limit is named MAX_…' },
  { pattern: /^(?:<{7}|>{7}) /m, why: 'a mark of an unfinished merge' },
]

/** A shell makes a file of whatever follows a `>`: its name has spaces or signs. */
const fileName = /^[\w./@+-]+$/
const longFileLines = 450
const skipped =
  /^(?:package-lock\.json|LICENSE|server\/schema\.sql|scripts\/project-words\.mjs)$|\.(?:png|ico|csv|woff2|svg)$/

await runScript(() => {
  const listed = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], { cwd: root })
  const files = listed
    .toString()
    .split('\n')
    .filter((file) => file !== '' && !skipped.test(file) && existsSync(join(root, file)))
    .filter((file) => statSync(join(root, file)).isFile())
  let found = 0
  for (const file of files) {
    if (!fileName.test(file)) {
      found += 1
      console.error(`${file}: no name of a file`)
    }
    const lines = readFileSync(join(root, file), 'utf8').split('\n')
    for (const [index, line] of lines.entries()) {
      for (const { pattern, why } of words) {
        if (!pattern.test(line)) continue
        found += 1
        console.error(`${file}:${index + 1}: ${why}: ${line.trim().slice(0, 100)}`)
      }
    }
    if (lines.length > longFileLines && !file.endsWith('.md'))
      console.error(`  long: ${file} has ${lines.length} lines`)
  }
  return Math.min(found, 1)
})
