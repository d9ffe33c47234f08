// Goal: where several periods of a market are open, the member chooses one; each has its own slip, and a ticket goes to
// the one on screen.

import { getOrder, type Language } from '@megalot/contract'
import { checkScreen } from '../check-screen.ts'
import { expect, tagOf, test } from '../fixtures.ts'
import { anyRound, joinMember } from '../history.ts'
import { betPageOf } from '../pages/bet-page.ts'
import { newUsername } from '../pages/register-page.ts'
import { openAs } from '../pages/session.ts'

/** Markets of these journeys alone. */
const marketOf = (isPhone: boolean): string => (isPhone ? 'taiwan' : 'korea')

const words = {
  th: { change: 'เปลี่ยนงวด', round: (round: number) => `รอบที่ ${round}`, take_earlier: /^ย้ายโพยไป/ },
  en: { change: 'Change period', round: (round: number) => `Round ${round}`, take_earlier: /^Move it to/ },
} as const

for (const language of ['th', 'en'] as const satisfies readonly Language[]) {
  test(
    `the period is chosen among those that are open (${language})`,
    { tag: tagOf(language, 'th-phone') },
    async ({ page, url, office, isPhone, openShownPeriod }, info) => {
      const product_code = marketOf(isPhone)
      const { change, round, take_earlier } = words[language]
      const first = await openShownPeriod(product_code, anyRound())
      await office.closeOthers(first)
      const second = await office.openPeriod(product_code, anyRound(), 2 * 3_600_000)
      try {
        const member = await joinMember(url, office, newUsername(info.project.name, `per${language}`))
        await page.emulateMedia({ colorScheme: language === 'th' ? 'light' : 'dark' })
        await openAs(page, member, language)
        const bet = betPageOf(page, isPhone, language)
        const choice = page.getByRole('button', { name: change })
        const sheet = page.getByRole('dialog')
        const choose = async (target: number): Promise<void> => {
          await bet.input.press(choice)
          await bet.input.press(sheet.getByRole('link', { name: round(target) }))
          await expect(sheet).toBeHidden()
          await expect(choice).toContainText(round(target))
        }

        await test.step('the next to close is there first, and its draft stays with it', async () => {
          await bet.open(product_code)
          await expect(choice).toContainText(round(first.round!))
          await bet.choosePackage('70')
          await bet.fillGrid([{ bet_type: '2top', number: '41', bet_satang: 1_000 }])
          await bet.input.press(choice)
          await expect(sheet.getByRole('link')).toHaveCount(2)
          await checkScreen(page, info, `bet-periods-${language}`)
          await page.keyboard.press('Escape')
          await choose(second.round!)
          await expect(bet.cell(0, 'number')).toHaveValue('')
          // It is not marked as left behind: its period is open.
          await expect(page.getByRole('button', { name: take_earlier })).toHaveCount(0)
        })

        await test.step('a reload stays with the choice, and the ticket goes there', async () => {
          await page.reload()
          await expect(choice).toContainText(round(second.round!))
          await bet.choosePackage('70')
          await bet.fillGrid([{ bet_type: '2top', number: '42', bet_satang: 2_000 }])
          const order_id = await bet.place()
          const order = await member.call(getOrder, { params: { order_id: String(order_id) } })
          expect(order.period.period_code).toBe(second.period_code)
        })

        await test.step('back to the first one with its draft, and to it when the chosen one closes', async () => {
          await choose(first.round!)
          await expect(bet.cell(0, 'number')).toHaveValue('41')
          await choose(second.round!)
          await office.closePeriod(second.period_code)
          await expect(bet.cell(0, 'number')).toHaveValue('41')
          await expect(choice).toHaveCount(0)
          await expect(page.getByText(round(first.round!))).toBeVisible()
        })
      } finally {
        await office.closeIfOpen(second.period_code)
      }
    },
  )
}
