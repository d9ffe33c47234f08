// The built product, for as long as a benchmark measures it.

import { startProduct } from '../../scripts/run-product.mjs'
import type { BenchmarkContext } from '../benchmark.ts'
import { captchaAnswer } from '../client.ts'

export type Product = Awaited<ReturnType<typeof startProduct>>

/**
 * Starts the product with known captchas, measures it, and stops it, also after a failure.
 * @param env settings beside
 */
export async function withProduct<Result>(
  { report }: BenchmarkContext,
  env: Record<string, string>,
  measure: (product: Product) => Promise<Result>,
): Promise<Result> {
  report('starting the built product …')
  const product = await startProduct({ CAPTCHA_TEST_ANSWER: captchaAnswer, ...env })
  try {
    return await measure(product)
  } finally {
    await product.stop()
  }
}
