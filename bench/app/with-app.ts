// Runs the built application for the duration of a benchmark.

import { startApp } from '../../scripts/run-app.mjs'
import type { BenchmarkContext } from '../benchmark.ts'
import { captchaAnswer } from '../client.ts'
import { countBrokenInvariants } from './broken-invariants.ts'

export type App = Awaited<ReturnType<typeof startApp>>

/**
 * Starts the application with known captchas, measures it, counts violated invariants, and stops it, even after a
 * failure.
 * @param env further settings
 */
export async function withApp<Result>(
  { report, addBrokenInvariants }: BenchmarkContext,
  env: Record<string, string>,
  measure: (app: App) => Promise<Result>,
): Promise<Result> {
  report('starting the built product …')
  const app = await startApp({ CAPTCHA_TEST_ANSWER: captchaAnswer, ...env })
  try {
    const result = await measure(app)
    report('every invariant …')
    addBrokenInvariants(await countBrokenInvariants(app.dataDir, report))
    return result
  } finally {
    await app.stop()
  }
}
