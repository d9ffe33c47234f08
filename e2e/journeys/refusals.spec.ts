// Goal: the bet page shows in both languages what the server would refuse, and nothing is written.

import { getCreditInfo, type Language, listOrders, refusals } from '@megalot/contract'
import { checkScreen } from '../check-screen.ts'
import { expect, memberOf, roundOf, tagOf, test } from '../fixtures.ts'
import { Gate, intercept, refuse } from '../intercept.ts'
import { betPageOf } from '../pages/bet-page.ts'
import { signIn } from '../pages/session.ts'
import { wordsOf } from '../pages/words.ts'

for (const [index, language] of (['th', 'en'] as const satisfies readonly Language[]).entries()) {
  test(
    `the bet page refuses and says why (${language})`,
    { tag: tagOf(language, 'th-phone') },
    async ({ page, url, office, isPhone, openShownPeriod }, info) => {
      // A market of its own for each project, so that they need not wait for each other.
      const product_code = isPhone ? 'lao-vip' : 'hanoi'
      const t = wordsOf(language)
      const { period_code } = await openShownPeriod(product_code, roundOf(info.project.name, 5 + index))
      await office.setNumber(period_code, { bet_type: '2top', number: '99', set_to: 'closed' })
      const api = await signIn(page, url, memberOf(info.project.name, 6), language)
      const readTraces = async () => [await api.call(getCreditInfo), await api.call(listOrders)]
      const before = await readTraces()

      const bet = betPageOf(page, isPhone, language)
      await test.step('a slip whose rates are not known yet, or cannot be loaded', async () => {
        const gate = new Gate()
        const endFault = await intercept(page, '**/game_config', async (route) => {
          await gate.isOpen
          await refuse(route, 'no_package', language)
        })
        await bet.open(product_code)
        await bet.choosePackage('70')
        await bet.fillGrid([{ bet_type: '2top', number: '01', bet_satang: 2_000 }])
        await expect(bet.submit).toBeDisabled()
        await expect(page.getByText(t('bet.refusal.terms_loading'))).toBeVisible()
        gate.release()
        await expect(page.getByText(t('bet.refusal.terms_failed'))).toBeVisible()
        await checkScreen(page, info, `bet-without-rates-${language}`)
        endFault()
        await bet.send()
        await expect(page.getByText(t('bet.refusal.terms_failed'))).toBeHidden()
        await expect(bet.orderId).toBeHidden()
        // A cell for an amount takes none without a number.
        await bet.cell(0, 'top').fill('')
        await bet.cell(0, 'number').fill('')
      })

      await test.step('an empty slip', async () => {
        await bet.send()
        await expect(page.getByText(refusals.no_number[language])).toBeVisible()
      })
      for (const [what, number, amount, sentence] of [
        ['an amount under the minimum', '01', '1', t('bet.refusal.under_min')],
        ['an amount over the maximum', '01', '20000', t('bet.refusal.over_max')],
        ['an amount that is none', '01', '1.5', t('bet.refusal.amount_form')],
        ['a closed number alone', '99', '20', t('bet.refusal.all_numbers_closed')],
      ] as const) {
        await test.step(what, async () => {
          await bet.cell(0, 'number').fill(number)
          await bet.cell(0, 'top').fill(amount)
          await bet.send()
          await expect(page.getByTestId('toasts').getByText(sentence)).toBeVisible()
          await expect(bet.orderId).toBeHidden()
        })
      }
      await test.step('more than the member has', async () => {
        const numbers = ['01', '02', '03', '04', '05', '06', '07', '08']
        await bet.fillGrid(numbers.map((number) => ({ bet_type: '2top', number, bet_satang: 1_000_000 })))
        await bet.send()
        await expect(page.getByText(t('bet.refusal.over_credit'))).toBeVisible()
        await expect(bet.orderId).toBeHidden()
        await checkScreen(page, info, `bet-refused-${language}`)
      })
      expect(await readTraces()).toEqual(before)
    },
  )
}
