// Goal: who does not bet works in the console: every page is reached by keyboard, Ctrl-K finds what is looked for, and
// members are sent back kindly.

import type { Language } from '@megalot/contract'
import type { Page } from '@playwright/test'
import { checkScreen } from '../check-screen.ts'
import { expect, tagOf, test } from '../fixtures.ts'
import { joinMember } from '../history.ts'
import { newUsername } from '../pages/register-page.ts'
import { openAs } from '../pages/session.ts'
import { wordsOf } from '../pages/words.ts'

const languages = ['th', 'en'] as const satisfies readonly Language[]

const rowsOf = (page: Page) => page.locator('[data-grid-row]')

for (const language of languages) {
  test(
    `Ctrl-K finds a member and a page (${language})`,
    { tag: tagOf(language, 'th-desktop') },
    async ({ page, url, office }, info) => {
      const t = wordsOf(language)
      const member = newUsername(info.project.name, 'pal')
      await joinMember(url, office, member)
      await openAs(page, office.apis[0], language)
      await page.goto('/console')
      await expect(rowsOf(page).first()).toBeVisible()
      const field = page.getByRole('combobox', { name: t('palette.field') })
      await page.keyboard.press('Control+k')
      await expect(field).toBeFocused()
      await page.keyboard.type(member)
      await expect(page.getByRole('option', { name: member })).toHaveAttribute('aria-selected', 'true')
      await checkScreen(page, info, `console-palette-${language}`)
      await page.keyboard.press('Enter')
      await expect(page).toHaveURL(/\/console\/people\/\d+$/)
      await expect(page.getByRole('heading', { level: 1, name: member })).toBeAttached()
      await expect(page.getByRole('dialog')).toBeHidden()

      await page.keyboard.press('Control+k')
      await page.keyboard.type(`${language === 'th' ? 'ให้วงเงิน' : 'credit'} ${member} 2500`)
      await expect(page.getByRole('option', { name: t('palette.deed.credit', { username: member }) })).toHaveAttribute(
        'aria-selected',
        'true',
      )
      await page.keyboard.press('Enter')
      const sheet = page.getByRole('dialog', { name: member })
      await expect(sheet.getByLabel(t('people.change.amount'), { exact: true })).toHaveValue('2500')
      await sheet.getByRole('button', { name: t('people.change.cancel') }).click()
      await expect(page).toHaveURL(/\/console\/people\/\d+$/)

      await page.keyboard.press('Control+k')
      const reports = t('console.screen.reports')
      await page.keyboard.type(reports)
      await expect(page.getByRole('option', { name: reports }).first()).toHaveAttribute('aria-selected', 'true')
      await page.keyboard.press('Enter')
      await expect(page).toHaveURL(/\/console\/downline$/)
    },
  )

  test(
    `a member is sent back kindly (${language})`,
    { tag: tagOf(language, 'th-phone') },
    async ({ page, url, office }, info) => {
      const t = wordsOf(language)
      await openAs(page, await joinMember(url, office, newUsername(info.project.name, 'nob')), language)
      for (const path of ['/console', '/console/people', '/office/maintenance']) {
        await page.goto(path)
        await expect(page.getByRole('heading', { level: 1, name: t('entrance.members.title') })).toBeVisible()
      }
      await checkScreen(page, info, `console-members-${language}`)
      await page.getByRole('link', { name: t('entrance.members.to_home') }).click()
      await expect(page).toHaveURL(/\/$/)
      await expect(page.getByTestId('credit-remain')).toBeVisible()
    },
  )
}

test('the office reaches each page by keyboard (th)', { tag: '@desktop-only' }, async ({ page, office }) => {
  await openAs(page, office.apis[1])
  await page.goto('/console')
  const links = page.getByRole('navigation', { name: wordsOf('th')('console.menu.pages') }).getByRole('link')
  await expect(links.first()).toBeVisible()
  const count = await links.count()
  expect(count).toBe(18)
  for (let at = 0; at < count; at += 1) {
    const link = links.nth(at)
    await link.focus()
    await page.keyboard.press('Enter')
    await expect(link).toHaveAttribute('aria-current', 'page')
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    // The way from the top of the page to its content is one key.
    await page.getByRole('link', { name: wordsOf('th')('console.skip') }).focus()
    await page.keyboard.press('Enter')
    await expect(page.getByRole('main')).toBeFocused()
  }
})
