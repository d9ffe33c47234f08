// People of the house in Chromium, over TLS.

import { type Browser, chromium } from '@playwright/test'
import { findChromium, launchArguments } from '../../scripts/find-chromium.mjs'
import { findSetupAddress, runFirstRun } from '../../e2e/first-run.ts'
import { readSessionToken } from '../../e2e/pages/session.ts'
import { type House, url } from './house.ts'

async function openBrowser(house: House): Promise<Browser> {
  const { executablePath, env } = await findChromium()
  const inherited = Object.entries(process.env).flatMap(([name, value]) => (value ? [[name, value]] : []))
  return chromium.launch({
    executablePath,
    args: [...launchArguments, house.trustOption()],
    env: { ...Object.fromEntries(inherited), ...env },
  })
}

export interface FirstTicket {
  order_id: number
  product_code: string
  /** The session of its member. */
  token: string
}

/** From the address in the log to a member's first ticket, in a browser. */
export async function startHouse(house: House): Promise<FirstTicket> {
  const browser = await openBrowser(house)
  try {
    const setupAddress = await findSetupAddress(() => house.engine.unit('megalot').log)
    const context = { locale: 'th-TH', timezoneId: 'Asia/Bangkok', viewport: { width: 1366, height: 900 } }
    const { member, order_id, product_code } = await runFirstRun(browser, { url, setupAddress, context })
    return { order_id, product_code, token: await readSessionToken(member) }
  } finally {
    await browser.close()
  }
}
