// `npm run screens`: a photograph of each screen, on four devices, in both languages and both themes. No test.

import { defineConfig } from '@playwright/test'
import base from './playwright.config.ts'

const phone = { deviceScaleFactor: 2, isMobile: true, hasTouch: true }

export default defineConfig({
  ...base,
  testDir: 'screens',
  testMatch: '*.screens.ts',
  // Users have one live session: the devices are photographed one after another.
  workers: 1,
  timeout: 600_000,
  reporter: [['list']],
  // A scene that cannot be prepared does not keep the others waiting.
  use: { ...base.use, actionTimeout: 10_000 },
  expect: { timeout: 10_000 },
  projects: [
    { name: 'phone-360', use: { ...phone, viewport: { width: 360, height: 740 } } },
    { name: 'phone-390', use: { ...phone, viewport: { width: 390, height: 844 } } },
    { name: 'tablet', use: { ...phone, viewport: { width: 834, height: 1112 } } },
    { name: 'desktop', use: { viewport: { width: 1366, height: 900 } } },
  ],
})
