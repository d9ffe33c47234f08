// One application for a whole run: the built one, started before the first journey and stopped after the last.

import { startApp } from '../scripts/run-app.mjs'
import { captchaAnswer, logInThroughApi } from './api.ts'

export default async function startBuiltApp(): Promise<() => Promise<void>> {
  const app = await startApp({ CAPTCHA_TEST_ANSWER: captchaAnswer })
  // The processes that run the journeys inherit this environment. A user has one live session, so all journeys share
  // the sessions of the office.
  process.env.E2E_URL = app.url
  process.env.E2E_DATA_DIR = app.dataDir
  process.env.E2E_OUTBOX = `${app.dataDir}/outbox`
  const sessions = await Promise.all(['office01', 'office02'].map((name) => logInThroughApi(app.url, name)))
  process.env.E2E_OFFICE_SESSIONS = sessions.map(({ sessionToken }) => sessionToken).join(' ')
  return () => app.stop()
}
