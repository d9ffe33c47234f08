// Runs the stages of `npm test` and `npm run test:slow`, and prints results and durations.

import { mkdirSync, readFileSync, rmSync, statfsSync } from 'node:fs'
import { freemem } from 'node:os'
import { join, relative } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { cacheFolder, endWithSignals, installedTool, root, runCommand, runScript, seconds } from './run-step.mjs'

/**
 * @typedef {{ passed: number, failed: number }} Counts
 * @typedef {object} Stage
 * @property {string} name
 * @property {() => unknown} run false, or a rejected promise, means that it failed
 * @property {() => Counts} [count] reads the counts of passed and failed tests; throws without a report
 * @property {() => string[]} [listFailures] the failed tests, with the first lines of the reason; read after `count`
 * @property {boolean} [isNeeded] later stages cannot run without it
 */

/** @typedef {{ beside: Stage[][] }} StagesBeside stages in lanes: sequential within a lane, lanes in parallel */

/** The most failed tests to name at the end of a run. */
const MAX_FAILURES = 40

/** Where the test runners write their reports; emptied before each run. */
const reportsFolder = join(cacheFolder, 'test-reports')

/** Twice the peak size of the databases of all concurrent tests. */
const MEMORY_NEEDED = 6 * 1024 ** 3

/**
 * A folder for temporary files in memory, if there is room. Each test file has its own database, of hundreds of files
 * that are deleted at its end, and disk file systems search long for free inode numbers.
 */
function findTemporaryFolder() {
  if (process.env.TMPDIR !== undefined || process.platform !== 'linux') return {}
  const folder = '/dev/shm'
  try {
    const { bavail, bsize } = statfsSync(folder)
    return bavail * bsize > MEMORY_NEEDED && freemem() > MEMORY_NEEDED ? { TMPDIR: folder } : {}
  } catch {
    return {}
  }
}

/** @returns {Stage['run']} */
export function runTool(tool, args, env = {}) {
  return async () => {
    const options = { show: true, env: { ...process.env, ...findTemporaryFolder(), CI: 'true', ...env } }
    return (await runCommand(process.execPath, [tool, ...args], options)).code === 0
  }
}

/**
 * Vitest tests: all, or those of the named files, except those left out.
 * @returns {Stage}
 */
export function vitestStage(name, files = [], env = {}, leftOut = []) {
  const report = join(reportsFolder, `${name.replaceAll(/\W+/g, '-')}.json`)
  // A pattern begins at the folder of a project.
  const exclude = leftOut.map((file) => `--exclude=**/${file.replace('server/', '')}`)
  const args = ['run', ...files, ...exclude, '--reporter=default', '--reporter=json', `--outputFile.json=${report}`]
  return {
    name,
    run: runTool(installedTool('vitest/vitest.mjs'), args, env),
    count: () => {
      const { numPassedTests, numFailedTests } = JSON.parse(readFileSync(report, 'utf8'))
      return { passed: numPassedTests, failed: numFailedTests }
    },
    listFailures: () => listVitestFailures(JSON.parse(readFileSync(report, 'utf8'))),
  }
}

/** A file that failed before its tests, in a hook or on import, has its own message. */
function listVitestFailures({ testResults }) {
  return testResults.flatMap(({ name, status, message, assertionResults }) => {
    const failed = assertionResults.filter((result) => result.status === 'failed')
    const file = relative(root, name)
    if (failed.length === 0) return status === 'failed' ? [describeFailure(file, message)] : []
    return failed.map(({ fullName, failureMessages }) => describeFailure(`${file}: ${fullName}`, failureMessages[0]))
  })
}

/** A report of Playwright is a tree of suites: files, groups, tests. */
function listPlaywrightFailures(suites) {
  return suites.flatMap(({ file, specs = [], suites: inner = [] }) => [
    ...specs
      .filter(({ ok }) => !ok)
      .map(({ title, tests }) =>
        describeFailure(`e2e/${file}: ${title}`, tests.flatMap(({ results }) => results).at(-1)?.error?.message),
      ),
    ...listPlaywrightFailures(inner),
  ])
}

function describeFailure(where, message = '') {
  const lines = stripVTControlCharacters(message).split('\n')
  return [where, ...lines.slice(0, 4).map((line) => `    ${line}`)].join('\n')
}

/**
 * Journeys in a real browser on the built application: all, or those of the named files.
 * @returns {Stage}
 */
export function playwrightStage(name, files = [], env = {}) {
  const report = join(reportsFolder, 'playwright.json')
  const args = ['test', '--config=e2e/playwright.config.ts', ...files]
  return {
    name,
    run: runTool(installedTool('@playwright/test/cli.js'), args, env),
    count: () => {
      const { stats } = JSON.parse(readFileSync(report, 'utf8'))
      return { passed: stats.expected + stats.flaky, failed: stats.unexpected }
    },
    listFailures: () => listPlaywrightFailures(JSON.parse(readFileSync(report, 'utf8')).suites),
  }
}

/** @returns {Stage} */
export const checkStage = { name: 'check', run: runTool(join(root, 'scripts/check.mjs'), []) }

/** Runs one stage. A stage that fails without a failing test, or without its report, counts as one failure. */
async function runStage(stage) {
  const startedAtMs = performance.now()
  console.error(`\n── ${stage.name}`)
  let isPassed = await Promise.resolve()
    .then(() => stage.run())
    .then(
      (answer) => answer !== false,
      (error) => {
        console.error(error.message)
        return false
      },
    )
  let counts = { passed: 0, failed: 0 }
  let failures = []
  try {
    counts = stage.count?.() ?? counts
    if (!isPassed) failures = stage.listFailures?.() ?? []
  } catch (error) {
    console.error(`no report of ${stage.name}: ${error.message}`)
    isPassed = false
  }
  if (!isPassed && counts.failed === 0) counts.failed = 1
  return { name: stage.name, isPassed, time: seconds(startedAtMs), failures, ...counts }
}

/**
 * @returns {Promise<{ results: object[], isComplete: boolean }>} isComplete: no stage was skipped because an earlier
 * one failed
 */
async function runLane(stages) {
  const results = []
  for (const stage of stages) {
    if (stage.beside) {
      const lanes = await Promise.all(stage.beside.map(runLane))
      results.push(...lanes.flatMap((lane) => lane.results))
      if (!lanes.every(({ isComplete }) => isComplete)) return { results, isComplete: false }
      continue
    }
    const result = await runStage(stage)
    results.push(result)
    if (!result.isPassed && stage.isNeeded) return { results, isComplete: false }
  }
  return { results, isComplete: true }
}

/**
 * Runs the stages and sets the exit code: 0 only if all of them ran and passed.
 * @param {(Stage
 * StagesBeside)[]} stages
 */
export async function runStages(stages) {
  endWithSignals()
  await runScript(async () => {
    rmSync(reportsFolder, { recursive: true, force: true })
    mkdirSync(reportsFolder, { recursive: true })
    const startedAtMs = performance.now()
    const { results, isComplete } = await runLane(stages)
    console.log('')
    // Repeated at the end, because stages in parallel with a failed one print much after it.
    for (const failure of results.flatMap(({ failures }) => failures).slice(0, MAX_FAILURES)) console.log(failure)
    console.log('')
    for (const { name, isPassed, time, passed, failed } of results) {
      const counts = passed + failed > 0 ? `${passed} passed, ${failed} failed` : ''
      console.log(`${isPassed ? '✓' : '✗'} ${name.padEnd(40)} ${time.padStart(8)}  ${counts}`)
    }
    console.log(`  ${'in all'.padEnd(40)} ${seconds(startedAtMs).padStart(8)}`)
    const total = (key) => results.reduce((sum, result) => sum + result[key], 0)
    console.log(`\n${total('passed')} passed, ${total('failed')} failed`)
    return isComplete && results.every(({ isPassed }) => isPassed) ? 0 : 1
  })
}
