import { defineConfig } from '@playwright/test'
import { findChromium, launchArguments } from '../scripts/find-chromium.mjs'
import { longJourneys, otherDeviceJourneys } from '../scripts/long-journeys.mjs'

const { executablePath, env } = await findChromium()
const inherited = Object.fromEntries(
  Object.entries(process.env).filter((entry): entry is [string, string] => !!entry[1]),
)

const idleJourney = 'idle.spec.ts'
const withoutDevice = ['*.api.spec.ts', idleJourney]

/** `E2E_JOURNEYS`: absent, those of `npm test`; `left`, those that it leaves to `npm run test:slow`; `all`, both. */
const isLeftOnly = process.env.E2E_JOURNEYS === 'left'
const isAll = process.env.E2E_JOURNEYS === 'all'
const isApi = (file: string) => file.endsWith('.api.spec.ts')
const longApiJourneys = longJourneys.filter(isApi)

function journeysOn(device: 'phone' | 'desktop'): { testMatch?: string[]; testIgnore?: string[] } {
  const left = [...longJourneys.filter((file) => !isApi(file)), ...otherDeviceJourneys[device]]
  if (isLeftOnly) return { testMatch: left }
  return { testIgnore: isAll ? withoutDevice : [...withoutDevice, ...left] }
}

export default defineConfig({
  testDir: 'journeys',
  outputDir: '../.cache/playwright',
  globalSetup: './app.ts',
  workers: Number(process.env.E2E_WORKERS ?? 3),
  // A flaky journey has found a defect: it is not retried.
  retries: 0,
  forbidOnly: true,
  timeout: 180_000,
  expect: { timeout: 15_000 },
  reporter: [['list'], ['json', { outputFile: '../.cache/test-reports/playwright.json' }]],
  use: {
    baseURL: process.env.E2E_URL,
    locale: 'th-TH',
    timezoneId: 'Asia/Bangkok',
    // A trace makes the journeys take nearly twice as long: it is enabled for the analysis of a failure.
    trace: process.env.E2E_TRACE ? 'retain-on-failure' : 'off',
    contextOptions: { reducedMotion: 'reduce' },
    screenshot: 'only-on-failure',
    // Each journey begins with empty browser storage; the storage has journeys of its own.
    serviceWorkers: 'block',
    launchOptions: { executablePath, args: launchArguments, env: { ...inherited, ...env } },
  },
  projects: [
    // It mostly waits, and as long on any device: it runs once, and first, beside the journeys that do work.
    { name: 'idle', testMatch: isLeftOnly ? [] : idleJourney },
    {
      name: 'api',
      testMatch: isLeftOnly ? longApiJourneys : '*.api.spec.ts',
      testIgnore: isLeftOnly || isAll ? [] : longApiJourneys,
    },
    {
      name: 'phone',
      ...journeysOn('phone'),
      grepInvert: /@desktop-only/,
      // One device pixel for each CSS pixel: two take a twentieth of the processor time of all journeys, and test nothing further.
      use: { viewport: { width: 360, height: 740 }, isMobile: true, hasTouch: true },
    },
    {
      name: 'desktop',
      ...journeysOn('desktop'),
      grepInvert: /@phone-only/,
      use: { viewport: { width: 1366, height: 900 } },
    },
  ],
})
