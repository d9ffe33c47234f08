// Goal: a person who has only the printed set-up address starts a house in the browser, and its first member bets.

import { startApp } from '../../scripts/run-app.mjs'
import { captchaAnswer } from '../api.ts'
import { checkScreen } from '../check-screen.ts'
import { expect, test } from '../fixtures.ts'
import { findSetupAddress, runFirstRun } from '../first-run.ts'

test('a house is started in the browser, from its set-up address to the first ticket', async ({
  browser,
  isPhone,
  viewport,
}, info) => {
  const app = await startApp({ DEMO: '0', SECOND_FACTOR: 'required', CAPTCHA_TEST_ANSWER: captchaAnswer })
  try {
    const setupAddress = await findSetupAddress(() => app.readLog())
    const { url } = app
    const house = await runFirstRun(browser, {
      ...{ url, setupAddress, captcha: captchaAnswer },
      context: { viewport, isMobile: isPhone, hasTouch: isPhone },
      onScreen: (page, name) => checkScreen(page, info, name),
    })
    expect(house.order_id).toBeGreaterThan(0)
    // The address is dead.
    await house.member.goto(setupAddress)
    await house.member.locator('[name=house_name]').fill('Another')
    await house.member.locator('[name=display_name]').fill('Another')
    await house.member.locator('[name=username]').fill('another')
    await house.member.locator('[name=password]').fill('copper-window-88')
    await house.member.locator('[name=confirm_password]').fill('copper-window-88')
    await house.member.locator('form [type=submit]').click()
    await expect(house.member.getByRole('alert')).toContainText('office setup-link')
    for (const page of [house.owner, house.second, house.member]) await page.context().close()
  } finally {
    await app.stop()
  }
})
