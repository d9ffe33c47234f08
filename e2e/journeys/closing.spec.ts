// Goal: a ticket for a period that has just closed is refused with a message that stays until it is read, and the slip
// is not lost.

import { getCreditInfo, type Language, listenLive, listOrders, listProductPeriod, refusals } from '@megalot/contract'
import { expect, memberOf, roundOf, tagOf, test } from '../fixtures.ts'
import { betPageOf } from '../pages/bet-page.ts'
import { signIn } from '../pages/session.ts'
import { wordsOf } from '../pages/words.ts'

for (const [index, language] of (['th', 'en'] as const satisfies readonly Language[]).entries()) {
  test(
    `a ticket for a period that has just closed (${language})`,
    { tag: tagOf(language, 'th-phone') },
    async ({ page, url, office, isPhone, openShownPeriod }, info) => {
      // A market of its own for each project, so that they need not wait for each other.
      const product_code = isPhone ? 'malay' : 'egypt'
      const t = wordsOf(language)
      const period = await openShownPeriod(product_code, roundOf(info.project.name, 7 + index))
      // This page gets no event: the news would remove the period from the screen before the ticket is sent.
      await page.route(`**${listenLive.path}`, (route) => route.abort())
      const api = await signIn(page, url, memberOf(info.project.name, 8), language)
      const readTraces = async () => [await api.call(getCreditInfo), await api.call(listOrders)]
      const before = await readTraces()

      const bet = betPageOf(page, isPhone, language)
      await bet.open(product_code)
      await bet.choosePackage('70')
      await bet.fillGrid([{ bet_type: '2top', number: '01', bet_satang: 2_000 }])
      await office.closePeriod(period.period_code)
      // The list of markets is refetched behind the dialog; that must not close it.
      const marketsAgain = page.waitForResponse(`**${listProductPeriod.path}`)
      await bet.send()
      await expect(bet.answer.getByText(refusals.period_closed[language])).toBeVisible()
      await marketsAgain
      await expect(bet.answer.getByText(t('bet.submission.refused.kept'))).toBeVisible()
      await bet.input.press(bet.answer.getByRole('button', { name: t('bet.submission.back_to_slip') }))
      // The sheet about the closed period may follow, which says as well that nothing was debited.
      await expect(bet.answer.getByText(refusals.period_closed[language])).toBeHidden()
      expect(await readTraces()).toEqual(before)
    },
  )
}
