// One application for a whole run: the built one, started before the first journey and stopped after the last. And one
// with history, started with the first journey that asks for it.

import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { findFreePort, startApp } from '../scripts/run-app.mjs'
import { captchaAnswer, logInThroughApi } from './api.ts'
import { AppDatabase } from './app-database.ts'

type App = Awaited<ReturnType<typeof startApp>>

export default async function startBuiltApp(): Promise<() => Promise<void>> {
  const metricsPort = await findFreePort()
  const app = await startApp({ CAPTCHA_TEST_ANSWER: captchaAnswer, METRICS_PORT: String(metricsPort) })
  await new AppDatabase(app.dataDir).raiseRegistrations()
  const house = await offerHouse()
  // The processes that run the journeys inherit this environment. A user has one live session, so all journeys share
  // the sessions of the office.
  process.env.E2E_URL = app.url
  process.env.E2E_DATA_DIR = app.dataDir
  process.env.E2E_METRICS = `http://localhost:${metricsPort}/metrics`
  process.env.E2E_OUTBOX = `${app.dataDir}/outbox`
  process.env.E2E_HOUSE = house.url
  const sessions = await Promise.all(['office01', 'office02'].map((name) => logInThroughApi(app.url, name)))
  process.env.E2E_OFFICE_SESSIONS = sessions.map(({ sessionToken }) => sessionToken).join(' ')
  return async () => {
    await house.stop()
    await app.stop()
  }
}

/**
 * Starts an application with a house of uplines and twenty days of history, once, when the first journey asks. Each
 * project runs in processes of its own, and only this one outlives them.
 * @returns an address that replies with the address of the application
 */
async function offerHouse(): Promise<{ url: string; stop: () => Promise<void> }> {
  let house: Promise<App> | undefined
  const server = createServer((_request, response) => {
    house ??= startApp({ CAPTCHA_TEST_ANSWER: captchaAnswer, DEMO_DAYS: '20' })
    house.then(
      ({ url }) => response.end(url),
      (error: unknown) => response.writeHead(500).end(String(error)),
    )
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop: async () => {
      server.closeAllConnections()
      server.close()
      // A start that failed has failed its journey.
      const started = await house?.catch(() => undefined)
      await started?.stop()
    },
  }
}
