// Goal: a member pastes a LINE message, sees how each line was read, confirms an unsure line, and bets what was shown
// and nothing else.

import type { Language } from '@megalot/contract'
import { checkScreen } from '../check-screen.ts'
import { expect, tagOf, test } from '../fixtures.ts'
import { anyRound, joinMember } from '../history.ts'
import { betPageOf } from '../pages/bet-page.ts'
import { SlipList } from '../pages/entry-styles.ts'
import { newUsername } from '../pages/register-page.ts'
import { openAs } from '../pages/session.ts'
import { wordsOf } from '../pages/words.ts'

const marketOf = (isPhone: boolean): string => (isPhone ? 'germany' : 'russia')

/** The market has no front; the text states the total of its lines 3 to 6. */
const message = [
  '20:15 สมชาย',
  'บนล่าง',
  '12-13=50*20',
  '47=100*100',
  'โต๊ด 305=50',
  '123=100x50',
  '99=1,000',
  'หน้า 888=20',
  'รวม 540',
  'ขอบคุณค่ะ',
].join('\n')

const sureStakes = ['305 50', '12 50', '13 50', '47 100', '12 20', '13 20', '47 100']

for (const language of ['th', 'en'] as const satisfies readonly Language[])
  test.describe(`in ${language}`, { tag: tagOf(language, 'th-phone') }, () => {
    test.use({ colorScheme: language === 'th' ? 'light' : 'dark' })

    test('a LINE message becomes the slip that was shown', async ({
      page,
      url,
      office,
      isPhone,
      openShownPeriod,
    }, info) => {
      const t = wordsOf(language)
      const product_code = marketOf(isPhone)
      await openShownPeriod(product_code, anyRound())
      const api = await joinMember(url, office, newUsername(info.project.name, `${language}chat`), 100_000)
      await openAs(page, api, language)
      const bet = betPageOf(page, isPhone, language)
      const slip = new SlipList(page)
      const dialog = page.getByRole('dialog')
      const box = dialog.getByRole('textbox')
      const unsure = page.getByTestId('import-unsure')
      const tickOf = (text: string) => unsure.getByRole('checkbox', { name: text })
      const summary = page.getByTestId('import-summary')
      const openImport = () =>
        bet.input.press(page.getByRole('toolbar').getByRole('button', { name: t('entry.tools.import') }))
      await bet.open(product_code, 'builder')
      await bet.choosePackage('90')

      await test.step('the usual reading drops lines with words and offers the other one', async () => {
        await openImport()
        await box.fill(message)
        await expect(dialog.getByText(t('import.column_dropped'), { exact: true })).toBeVisible()
        await bet.input.press(dialog.getByRole('button', { name: t('import.try_chat') }))
        await expect(dialog.getByRole('checkbox', { name: t('import.chat') })).toBeChecked()
        await expect(box).toHaveValue(message)
      })

      await test.step('each line says how it was read; unsure lines are not among the items', async () => {
        await expect(summary).toHaveText(
          [
            t('chat.summary', { lines: 10, items: 7 }),
            t('chat.waiting', { count: 2 }),
            t('chat.unread', { count: 1 }),
          ].join(' '),
        )
        await expect(unsure.getByRole('checkbox')).toHaveCount(2)
        await expect(unsure).toContainText(t('chat.reason.column_above'))
        await expect(unsure).toContainText(t('chat.reason.unclear_amount'))
        await expect(page.getByTestId('import-errors')).toContainText(t('chat.reason.column_not_offered'))
        const aside = page.getByTestId('import-aside')
        await expect(aside.getByText(t('chat.reason.total'))).toBeHidden()
        await bet.input.press(aside.locator('summary'))
        for (const reason of ['name', 'column', 'total', 'greeting'] as const)
          await expect(
            aside
              .getByRole('button')
              .filter({ hasText: t(`chat.reason.${reason}`) })
              .first(),
          ).toBeVisible()
        await expect(dialog.getByText(t('chat.total_other', { total: '540', sum: '390' }))).toBeVisible()
        // Where the bar with the button covers half of a pencil, axe finds the pencil too small.
        await unsure.evaluate((list) => list.scrollIntoView({ block: 'center' }))
        await checkScreen(page, info, `bet-chat-${language}`)
      })

      await test.step('the link of a refused line selects it in the text', async () => {
        await bet.input.press(page.getByTestId('import-errors').getByRole('button'))
        await expect(box).toBeFocused()
        await page.keyboard.type('888=20')
        await expect(box).toHaveValue(message.replace('หน้า 888=20', '888=20'))
        await box.fill(message)
      })

      await test.step('a confirmed line is bet; once its text changes it asks again', async () => {
        await bet.input.tick(tickOf('123=100x50'))
        await bet.input.tick(tickOf('99=1,000'))
        await expect(summary).toContainText(t('chat.waiting', { count: 0 }))
        await box.fill(message.replace('99=1,000', '98=1,000'))
        await expect(tickOf('98=1,000')).not.toBeChecked()
        await expect(tickOf('123=100x50')).toBeChecked()
        await box.fill(message)
        await expect(tickOf('99=1,000')).not.toBeChecked()
        await expect(page.getByTestId('import-lines')).toContainText(t('chat.confirmed'))
        await expect(dialog.getByText(t('chat.total_same', { total: '540' }))).toBeVisible()
        await expect(dialog.getByText(t('chat.unsure.left', { count: 1 }))).toBeVisible()
        await unsure.evaluate((list) => list.scrollIntoView({ block: 'center' }))
        await checkScreen(page, info, `bet-chat-confirmed-${language}`)
      })

      await test.step('the slip has the items of the preview', async () => {
        await expect(page.getByTestId('import-add')).toHaveText(t('import.add', { items: 9, total: '540' }))
        await bet.input.press(page.getByTestId('import-add'))
        await expect(dialog).toBeHidden()
        await expect.poll(async () => (await slip.stakes()).sort()).toEqual([...sureStakes, '123 100', '123 50'].sort())
        await expect(bet.totalNet).toHaveText('540.00')
      })

      await test.step('the device remembers how to read', async () => {
        await page.reload()
        await openImport()
        await expect(dialog.getByRole('checkbox', { name: t('import.chat') })).toBeChecked()
        await box.fill('12=50\nบน 13=20')
        await expect(page.getByTestId('import-add')).toHaveText(t('import.add', { items: 1, total: '20' }))
        await bet.input.tick(dialog.getByRole('checkbox', { name: t('import.chat') }))
        await expect(page.getByTestId('import-add')).toHaveText(t('import.add', { items: 1, total: '50' }))
        await bet.input.tick(dialog.getByRole('checkbox', { name: t('import.chat') }))
      })

      await test.step('below all unclear lines a button confirms them', async () => {
        await box.fill('12=50\n13=20')
        await expect(page.getByTestId('import-add')).toBeDisabled()
        await bet.input.press(unsure.getByRole('button', { name: t('chat.unsure.all', { count: 2 }) }))
        for (const line of await unsure.getByRole('checkbox').all()) await expect(line).toBeChecked()
        await expect(page.getByTestId('import-add')).toHaveText(t('import.add', { items: 2, total: '70' }))
      })
    })
  })
