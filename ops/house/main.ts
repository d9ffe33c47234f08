// `npm run ops -- house`: sets a house up as deploy/README.md says, opens it in a browser, kills its processes under
// betting, and restores it. Ends with the line `N passed, N failed`.

import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { cacheFolder } from '../../scripts/run-step.mjs'
import { House } from './house.ts'
import { steps } from './steps.ts'

interface Report {
  passed: number
  failed: number
  failures: string[]
}

async function walk(house: House): Promise<Report> {
  const report: Report = { passed: 0, failed: 0, failures: [] }
  for (const [title, step] of steps) {
    const startedAtMs = performance.now()
    const error = await step(house).then(
      () => undefined,
      (error: unknown) => error as Error,
    )
    const seconds = ((performance.now() - startedAtMs) / 1_000).toFixed(1)
    console.error(`  ${error ? '✗' : '✓'} ${title} (${seconds} s)`)
    if (!error) {
      report.passed += 1
      continue
    }
    // The next steps go on from this one.
    console.error(`${error.stack}\n${house.engine.describe()}`)
    report.failed += 1
    report.failures.push(`${title}\n    ${error.message}`)
    break
  }
  return report
}

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130))
const house = House.make()
let report: Report
try {
  report = await walk(house)
} finally {
  await house.close()
}
const folder = join(cacheFolder, 'test-reports')
mkdirSync(folder, { recursive: true })
writeFileSync(join(folder, 'house.json'), JSON.stringify(report))
console.log(`\n${report.passed} passed, ${report.failed} failed`)
process.exitCode = report.failed === 0 ? 0 : 1
