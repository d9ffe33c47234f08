// Goal: what the server would refuse is said on the bet page in words, in both languages, and nothing is written.

import { getCreditInfo, type Language, listOrders, refusals } from '@megalot/contract'
import { Api } from '../api.ts'
import { expect, memberOf, roundOf, test } from '../fixtures.ts'
import { betPageOf } from '../pages/bet-page.ts'
import { LoginPage } from '../pages/login-page.ts'
import { readSessionId } from '../pages/session.ts'
import { Shell } from '../pages/shell.ts'

const sentences = {
  th: {
    over_credit: 'ยอดแทงเกินเครดิตคงเหลือ',
    under_min: 'มีเลขที่แทงต่ำกว่าขั้นต่ำ',
  },
  en: {
    over_credit: 'Total exceeds available credit',
    under_min: 'Some numbers are under the minimum',
  },
} as const

for (const [index, language] of (['th', 'en'] as const satisfies readonly Language[]).entries()) {
  test(`the bet page refuses and says why (${language})`, async ({ page, url, office, isPhone }, info) => {
    // A market of its own for each project, so that no other journey's period is shown instead.
    const product_code = isPhone ? 'lao-vip' : 'hanoi-vip'
    await office.openPeriod(product_code, roundOf(info.project.name, 5 + index), 60_000 * 30)
    await new LoginPage(page).logIn(memberOf(info.project.name, 6))
    const shell = new Shell(page, isPhone)
    await shell.chooseLanguage(language)
    const api = new Api(url)
    api.sessionId = await readSessionId(page)
    const readTraces = async () => [await api.call(getCreditInfo), await api.call(listOrders)]
    const before = await readTraces()

    const bet = betPageOf(page, isPhone, language)
    await bet.open(product_code)
    await bet.choosePackage('70')

    await test.step('an empty slip', async () => {
      await bet.submit.click()
      await expect(page.getByText(refusals.no_number[language])).toBeVisible()
    })
    await test.step('more than the member has', async () => {
      const numbers = ['01', '02', '03', '04', '05', '06', '07', '08']
      await bet.fillGrid(numbers.map((number) => ({ bet_type: '2top', number, bet_satang: 1_000_000 })))
      await bet.submit.click()
      await expect(page.getByText(sentences[language].over_credit)).toBeVisible()
      await expect(bet.orderId).toBeHidden()
    })
    await test.step('an amount under the minimum', async () => {
      await bet.open(product_code)
      await bet.cell(0, 'top').waitFor()
      await bet.cell(0, 'top').fill('1')
      await bet.submit.click()
      await expect(page.getByText(sentences[language].under_min)).toBeVisible()
    })
    expect(await readTraces()).toEqual(before)
  })
}
