// Goal: a device opens the web without a network, says so, and shows the drafted slips; a new version is loaded once
// and removes no slip; and no data about anybody's money is ever cached.

import { setTimeout as pause } from 'node:timers/promises'
import { type Language, refusals } from '@megalot/contract'
import type { Page } from '@playwright/test'
import { checkScreen } from '../check-screen.ts'
import { expect, memberOf, roundOf, tagOf, test } from '../fixtures.ts'
import { type BetPage, betPageOf } from '../pages/bet-page.ts'
import { signIn } from '../pages/session.ts'
import { startNewerBuild } from '../newer-build.ts'
import { wordsOf } from '../pages/words.ts'

test.use({ serviceWorkers: 'allow' })

const slot = 10
/** A market of its own for each project, so that they need not wait for each other. */
const marketOf = (isPhone: boolean): string => (isPhone ? 'lao-pattana' : 'china-am')

/** Advances the page's clock until the device has cached the web. */
async function cacheApp(page: Page): Promise<void> {
  await page.clock.fastForward(6_000)
  await page.evaluate(async () => {
    await navigator.serviceWorker.ready
    // The worker serves a page that was already open from the moment it has taken over.
    if (navigator.serviceWorker.controller === null)
      await new Promise((resolve) =>
        navigator.serviceWorker.addEventListener('controllerchange', resolve, { once: true }),
      )
  })
}

async function draftSlip(bet: BetPage, product_code: string): Promise<void> {
  await bet.open(product_code)
  await bet.choosePackage('90')
  await bet.fillGrid([
    { bet_type: '2top', number: '71', bet_satang: 2_000 },
    { bet_type: '3roll', number: '123', bet_satang: 500 },
  ])
}

/** The addresses of all cached files. */
function listKept(page: Page): Promise<string[]> {
  return page.evaluate(async () => {
    const names = await caches.keys()
    const kept = await Promise.all(names.map(async (name) => (await caches.open(name)).keys()))
    return kept.flat().map(({ url }) => new URL(url).pathname)
  })
}

for (const [index, language] of (['th', 'en'] as const satisfies readonly Language[]).entries()) {
  test(
    `without a network the web opens, says so, and shows the slip (${language})`,
    { tag: tagOf(language, 'th-phone') },
    async ({ page, context, url, isPhone, openShownPeriod }, info) => {
      const t = wordsOf(language)
      const product_code = marketOf(isPhone)
      await openShownPeriod(product_code, roundOf(info.project.name, 6 + index))
      await page.clock.install()
      await page.emulateMedia({ colorScheme: language === 'th' ? 'light' : 'dark' })
      await signIn(page, url, memberOf(info.project.name, slot), language)
      const bet = betPageOf(page, isPhone, language)
      await draftSlip(bet, product_code)
      await cacheApp(page)

      await context.setOffline(true)
      await expect(page.getByText(t('shell.offline'))).toBeVisible()
      await page.reload()
      await expect(page).toHaveURL(/\/offline/)
      await expect(page.getByRole('heading', { name: t('away.offline.title') })).toBeVisible()
      const slip = page.getByRole('article')
      await expect(slip.getByText(t('away.offline.not_sent'))).toBeVisible()
      await expect(slip.getByRole('row').nth(1)).toContainText(/71.*20/)
      await expect(slip.getByRole('row').nth(2)).toContainText(/123.*5/)
      await checkScreen(page, info, `offline-${language}`)
      // Without a network there is no further navigation.
      await bet.input.press(page.getByRole('button', { name: t('away.offline.try') }))
      await expect(page).toHaveURL(/\/offline/)

      const kept = await listKept(page)
      expect(kept).toContain('/bet.html')
      expect(
        kept.filter(
          (path) => !/^\/(assets\/|(?:index|inside|bet)(?:\.en)?\.html|\w+\.(?:svg|webmanifest)$)/.test(path),
        ),
      ).toEqual([])

      await context.setOffline(false)
      await page.clock.fastForward(5_000)
      await expect(page).toHaveURL(new RegExp(`/bet/${product_code}`))
      await expect(bet.cell(0, 'number')).toHaveValue('71')
      await expect(page.getByTestId('credit-remain')).toBeVisible()
    },
  )
}

test('the web checks its version every five minutes; a newer one is loaded once, and keeps the slip @desktop-only', async ({
  page,
  url,
  isPhone,
  openShownPeriod,
}, info) => {
  const product_code = marketOf(isPhone)
  await openShownPeriod(product_code, roundOf(info.project.name, 8))
  const newer = await startNewerBuild(url)
  try {
    await page.clock.install()
    await signIn(page, newer.url, memberOf(info.project.name, slot))
    const bet = betPageOf(page, isPhone)
    await page.goto(`${newer.url}/bet/${product_code}`)
    await bet.submit.waitFor()
    await bet.chooseStyle('grid')
    await bet.choosePackage('90')
    await bet.fillGrid([{ bet_type: '2top', number: '72', bet_satang: 2_000 }])
    await cacheApp(page)
    /** Lets five minutes pass, and more where the page had not begun to count. @returns the status of the reply */
    const nextSync = async (): Promise<number> => {
      const status = page.waitForResponse((response) => response.url().includes('/session_sync'))
      for (;;) {
        await page.clock.fastForward(300_000)
        const reply = await Promise.race([status, pause(5_000)])
        if (reply) return reply.status()
      }
    }
    const build = page.locator('meta[name=build]')

    await test.step('the same version: nothing happens', async () => {
      expect(await nextSync()).toBe(200)
      // The cache answers: the server's page would have a mark from the beginning.
      await page.reload()
      await bet.submit.waitFor()
      await expect(build).toHaveAttribute('content', 'first')
    })
    await test.step('another version: announced, fetched and loaded, and the slip is there', async () => {
      newer.publish()
      expect(await nextSync()).toBe(409)
      // The specification's title, and the server's message below it.
      await expect(page.getByText(`กรุณาอัปเดตเป็นเวอร์ชันล่าสุด · ${refusals.old_version.th}`)).toBeVisible()
      const loaded = page.waitForEvent('load')
      await page.clock.fastForward(1_000)
      await loaded
      await expect(build).toHaveAttribute('content', 'second')
      await expect(bet.cell(0, 'number')).toHaveValue('72')
    })
    await test.step('one more version: announced, and not loaded again', async () => {
      let loads = 0
      page.on('load', () => (loads += 1))
      expect(await nextSync()).toBe(409)
      await expect(page.getByText('ปิดหน้านี้ทุกแท็บแล้วเปิดใหม่')).toBeVisible()
      await page.clock.fastForward(30_000)
      await expect(bet.cell(0, 'number')).toHaveValue('72')
      expect(loads).toBe(0)
    })
    await test.step('the files of the build before are still there for pages that are open', async () => {
      const names = await page.evaluate(() => caches.keys())
      expect(names).toHaveLength(2)
    })
  } finally {
    await newer.stop()
  }
})
