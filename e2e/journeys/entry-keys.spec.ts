// Goal: bets take few taps and keys, which are counted here, and each makes the bet that was meant.

import type { Locator } from '@playwright/test'
import { checkScreen } from '../check-screen.ts'
import { expect, test } from '../fixtures.ts'
import { anyRound, joinMember } from '../history.ts'
import { betPageOf } from '../pages/bet-page.ts'
import { Keypad, SlipList } from '../pages/entry-styles.ts'
import { newUsername } from '../pages/register-page.ts'
import { openAs } from '../pages/session.ts'
import { wordsOf } from '../pages/words.ts'

const product_code = 'thai-evening'
const t = wordsOf('th')

test('taps of the keypad @phone-only', async ({ page, url, office, isPhone, openShownPeriod }, info) => {
  await openShownPeriod(product_code, anyRound())
  await openAs(page, await joinMember(url, office, newUsername(info.project.name, 'tap')))
  const bet = betPageOf(page, isPhone)
  const keypad = new Keypad(page, isPhone, t)
  // The rate of the last bet holds for the next one.
  await bet.open(product_code, 'mobile')
  await bet.choosePackage('90')
  let taps = 0
  const tap = async (part: Locator): Promise<void> => {
    taps += 1
    await part.tap()
  }
  const key = (digit: string) => page.getByRole('button', { name: digit, exact: true })
  const quick = (baht: number) => page.getByRole('button', { name: t('bet.quick.stake', { baht: String(baht) }) })
  const count = async (most: number, act: () => Promise<void>): Promise<void> => {
    taps = 0
    await act()
    expect(taps).toBeLessThanOrEqual(most)
  }

  await test.step('the first bet, from the list of markets on', () =>
    count(5, async () => {
      await page.goto('/')
      await tap(page.locator(`a[href="/bet/${product_code}"]`).first())
      for (const part of [key('4'), key('7'), quick(20), bet.submit]) await tap(part)
      await expect(bet.orderId).toBeVisible()
    }))
  await bet.closeAnswer()

  await test.step('a further number', () =>
    count(2, async () => {
      for (const part of [key('1'), key('2')]) await tap(part)
      await expect(bet.totalNet).toHaveText('20.00')
    }))

  await test.step('50 on the top and 20 below, where both columns have prices', async () => {
    await keypad.choose('bottom')
    await keypad.quick(10)
    await count(4, async () => {
      for (const part of [key('4'), key('7'), quick(50), quick(20)]) await tap(part)
      await expect(page.getByTestId('running-row').first()).toContainText('47บน 50ล่าง 20')
    })
    await count(2, async () => {
      for (const part of [key('3'), key('3')]) await tap(part)
      await expect(page.getByTestId('running-row').first()).toContainText('33บน 50ล่าง 20')
    })
  })
  await checkScreen(page, info, 'entry-keypad')

  await test.step('a hardware keyboard writes the same language', async () => {
    await keypad.number.focus()
    await page.keyboard.type('56=30*10')
    await page.keyboard.press('Enter')
    await page.keyboard.type('78')
    await expect(page.getByTestId('running-row').nth(0)).toContainText('78บน 30ล่าง 10')
    await expect(page.getByTestId('running-row').nth(1)).toContainText('56บน 30ล่าง 10')
  })

  await test.step('the prices stand after another style and a reload', async () => {
    await bet.chooseStyle('builder')
    await bet.chooseStyle('mobile')
    await expect(keypad.price('bottom')).toContainText('10')
    await page.reload()
    await expect(keypad.price('top')).toContainText('30')
    await keypad.key('90')
    await keypad.press(new RegExp(`^${t('bet.view.slip')} \\d`))
    const slip = new SlipList(page)
    await expect
      .poll(() => slip.stakes())
      .toEqual([
        ...['12 20', '47 50', '33 50', '56 30', '78 30', '90 30'],
        ...['12 10', '47 20', '33 20', '56 10', '78 10', '90 10'],
      ])
  })
})
