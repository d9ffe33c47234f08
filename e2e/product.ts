// One product for a whole run: the built one, started before the first journey and stopped after the last.

import { startProduct } from '../scripts/run-product.mjs'
import { captchaAnswer, logInThroughApi } from './api.ts'

export default async function startBuiltProduct(): Promise<() => Promise<void>> {
  const product = await startProduct({ CAPTCHA_TEST_ANSWER: captchaAnswer })
  // The processes that run the journeys are started with this environment. A user has one live session, so that all
  // journeys share those of the office.
  process.env.E2E_URL = product.url
  process.env.E2E_DATA_DIR = product.dataDir
  process.env.E2E_OUTBOX = `${product.dataDir}/outbox`
  const sessions = await Promise.all(['office01', 'office02'].map((name) => logInThroughApi(product.url, name)))
  process.env.E2E_OFFICE_SESSIONS = sessions.map(({ sessionId }) => sessionId).join(' ')
  return () => product.stop()
}
