// `npm test`: everything. Checks, unit, property and integration tests, then journeys in a real browser on the built product.

import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { buildProduct } from './build.mjs'
import { installLocked, requireNode } from './install-locked.mjs'
import { cacheFolder, endWithSignals, installedTool, root, runCommand, runScript, seconds } from './run-step.mjs'

const reports = join(cacheFolder, 'test-reports')
const vitestReport = join(reports, 'vitest.json')
const playwrightReport = join(reports, 'playwright.json')

function runTool(tool, args) {
  return async () => {
    const options = { show: true, env: { ...process.env, CI: 'true' } }
    return (await runCommand(process.execPath, [tool, ...args], options)).code === 0
  }
}

const stages = [
  { name: 'install', isNeeded: true, run: () => installLocked() },
  { name: 'check', run: runTool(join(root, 'scripts/check.mjs'), []) },
  {
    name: 'unit, property and integration tests',
    run: runTool(installedTool('vitest/vitest.mjs'), [
      'run',
      '--reporter=default',
      '--reporter=json',
      `--outputFile.json=${vitestReport}`,
    ]),
    count: () => {
      const { numPassedTests, numFailedTests } = JSON.parse(readFileSync(vitestReport, 'utf8'))
      return { passed: numPassedTests, failed: numFailedTests }
    },
  },
  { name: 'build', isNeeded: true, run: () => buildProduct() },
  {
    name: 'journeys in the browser',
    run: runTool(installedTool('@playwright/test/cli.js'), ['test', '--config=e2e/playwright.config.ts']),
    count: () => {
      const { stats } = JSON.parse(readFileSync(playwrightReport, 'utf8'))
      return { passed: stats.expected + stats.flaky, failed: stats.unexpected }
    },
  },
]

/** Runs one stage; a stage that fails without a failing test of its own counts as one failure. */
async function runStage(stage) {
  const startedAtMs = performance.now()
  console.error(`\n── ${stage.name}`)
  const isPassed = await Promise.resolve(stage.run()).then(
    (answer) => answer !== false,
    (error) => {
      console.error(error.message)
      return false
    },
  )
  const counts = (() => {
    try {
      return stage.count?.() ?? { passed: 0, failed: 0 }
    } catch {
      return { passed: 0, failed: 0 }
    }
  })()
  if (!isPassed && counts.failed === 0) counts.failed = 1
  return { name: stage.name, isPassed, time: seconds(startedAtMs), ...counts }
}

endWithSignals()
await runScript(async () => {
  requireNode()
  rmSync(reports, { recursive: true, force: true })
  mkdirSync(reports, { recursive: true })
  const startedAtMs = performance.now()
  const results = []
  for (const stage of stages) {
    const result = await runStage(stage)
    results.push(result)
    if (!result.isPassed && stage.isNeeded) break
  }
  console.log('')
  for (const { name, isPassed, time, passed, failed } of results) {
    const counts = passed + failed > 0 ? `${passed} passed, ${failed} failed` : ''
    console.log(`${isPassed ? '✓' : '✗'} ${name.padEnd(40)} ${time.padStart(8)}  ${counts}`)
  }
  console.log(`  ${'in all'.padEnd(40)} ${seconds(startedAtMs).padStart(8)}`)
  const total = (key) => results.reduce((sum, result) => sum + result[key], 0)
  console.log(`\n${total('passed')} passed, ${total('failed')} failed`)
  const isComplete = results.length === stages.length && existsSync(vitestReport) && existsSync(playwrightReport)
  return isComplete && results.every(({ isPassed }) => isPassed) ? 0 : 1
})
