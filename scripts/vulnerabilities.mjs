// Checks the packages that ship for known vulnerabilities, by `npm audit`. Fails on high and critical ones unless
// `vulnerabilities.json` allows them: { "GHSA-…": "why it does no harm here" }. If the registry does not answer, the check
// passes and says so.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { npmCommand } from './install-locked.mjs'
import { endWithSignals, root, runCommand, runScript } from './run-step.mjs'

const severe = new Set(['high', 'critical'])

/**
 * Judges a report of `npm audit --json`.
 * @param {{ vulnerabilities?: Record<string, any>, message?: string }} report
 * @param {Record<string, string>} allowed reasons by the id of the advisory
 * @returns {{ hasAnswer: boolean, found: string[], unneeded: string[] }} unneeded: allowed, and not found any more
 */
export function judgeReport({ vulnerabilities }, allowed) {
  if (vulnerabilities === undefined) return { hasAnswer: false, found: [], unneeded: [] }
  const advisories = new Map()
  for (const { via } of Object.values(vulnerabilities))
    for (const cause of via)
      // A string names another package of the report, which has the advisory itself.
      if (typeof cause === 'object' && severe.has(cause.severity)) advisories.set(cause.url.split('/').at(-1), cause)
  const found = Array.from(advisories)
    .filter(([id]) => !(id in allowed))
    .map(([id, { name, range, severity, title }]) => `${name} ${range}: ${severity}, ${title} (${id})`)
  return { hasAnswer: true, found, unneeded: Object.keys(allowed).filter((id) => !advisories.has(id)) }
}

async function readReport() {
  const [command, args] = npmCommand(['audit', '--omit=dev', '--json', '--loglevel=silent'])
  const { output } = await runCommand(command, args)
  try {
    return JSON.parse(output)
  } catch {
    return { message: output.trim() }
  }
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  endWithSignals()
  await runScript(async () => {
    const report = await readReport()
    const allowed = JSON.parse(readFileSync(join(root, 'scripts/vulnerabilities.json'), 'utf8'))
    const { hasAnswer, found, unneeded } = judgeReport(report, allowed)
    if (!hasAnswer) {
      console.error(
        `NOT CHECKED for known vulnerabilities, because the registry does not answer: ${report.message ?? ''}`,
      )
      return 0
    }
    for (const line of found) console.error(line)
    for (const id of unneeded)
      console.error(`${id} is allowed in scripts/vulnerabilities.json but was not found: remove it`)
    if (found.length === 0) console.error('The packages that ship have no known high or critical vulnerability.')
    return Math.min(found.length, 1)
  })
}
