// Goal: the office starts and ends maintenance from its own screens; members see its message and return by themselves
// to where they were. And the company writes announcements for all. On an application of their own: other journeys are
// not affected.

import { type Language, refusals, setMaintenance } from '@megalot/contract'
import type { Browser, Locator, Page, TestInfo } from '@playwright/test'
import { startApp } from '../../scripts/run-app.mjs'
import { captchaAnswer } from '../api.ts'
import { checkScreen } from '../check-screen.ts'
import { expect, tagOf, test } from '../fixtures.ts'
import { LoginPage } from '../pages/login-page.ts'
import { signIn } from '../pages/session.ts'
import { Shell } from '../pages/shell.ts'
import { wordsOf } from '../pages/words.ts'

type App = Awaited<ReturnType<typeof startApp>>

/** A page of a user with a browser of its own. */
async function openPage(browser: Browser, app: App, info: TestInfo): Promise<Page> {
  const { viewport = null, isMobile = false, deviceScaleFactor = 1, hasTouch = false } = info.project.use
  const context = await browser.newContext({
    baseURL: app.url,
    viewport,
    isMobile,
    deviceScaleFactor,
    hasTouch,
    locale: 'th-TH',
    serviceWorkers: 'block',
    reducedMotion: 'reduce',
  })
  return context.newPage()
}

const saveIn = (dialog: Locator): Promise<void> => dialog.locator('button[type=submit]').click()

/** The dialog that asks why maintenance ends. */
async function end(page: Page, language: Language): Promise<void> {
  const t = wordsOf(language)
  await page
    .getByRole('button', { name: t('maintenance.end') })
    .first()
    .click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel(t('common.reason.label')).fill('it is done')
  await saveIn(dialog)
  await expect(dialog).toBeHidden()
}

let app: App
/** The office's page and a member's, each in a browser of its own. */
let officePage: Page
let page: Page

test.beforeAll(async () => {
  app = await startApp({ CAPTCHA_TEST_ANSWER: captchaAnswer })
})

test.afterAll(() => app.stop())

test.beforeEach(async ({ browser }, info) => {
  page = await openPage(browser, app, info)
  officePage = await openPage(browser, app, info)
})

test.afterEach(async () => {
  await page.context().close()
  await officePage.context().close()
})

test('maintenance is started, changed and ended by the office, and members see it @phone-only', async ({
  isPhone,
}, info) => {
  const shell = new Shell(officePage, isPhone)
  const dialog = officePage.getByRole('dialog')
  const [th, en] = [wordsOf('th'), wordsOf('en')]
  await signIn(page, app.url, 'member01')
  await page.goto('/bills')
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  const office = await signIn(officePage, app.url, 'office01')
  await officePage.goto('/console')

  await test.step('started in Thai: a reason is required, and members are kept out', async () => {
    await shell.follow(th('console.screen.system'))
    await officePage.getByRole('link', { name: th('console.tab.maintenance'), exact: true }).click()
    await expect(officePage.getByText(th('maintenance.none'))).toBeVisible()
    await officePage.getByRole('button', { name: th('maintenance.begin') }).click()
    await saveIn(dialog)
    await expect(dialog.getByText(th('common.reason.too_short', { least: '3' }))).toBeVisible()
    await checkScreen(officePage, info, 'office-maintenance-form-th')
    await dialog.getByLabel(th('maintenance.message_th')).fill('กำลังเปลี่ยนเครื่อง')
    await dialog.getByLabel(th('maintenance.message_en')).fill('Changing the machine')
    const in2Hours = new Date(Date.now() + 9 * 3_600_000).toISOString().slice(0, 16)
    await dialog.getByLabel(th('maintenance.until')).fill(in2Hours)
    await dialog.getByLabel(th('common.reason.label')).fill('the journey wants it')
    await saveIn(dialog)
    await expect(officePage.getByRole('listitem').getByText('Changing the machine')).toBeVisible()

    await expect(page).toHaveURL(/\/maintenance/)
    await expect(page.getByText('กำลังเปลี่ยนเครื่อง')).toBeVisible()
    await expect(page.getByText(th('away.maintenance.until', { time: '' }))).toBeVisible()
    await expect(page.getByRole('timer')).toHaveText(/^01:5\d:\d\d$|^02:00:00$/)
    await checkScreen(page, info, 'maintenance-th')
    // A reload shows it again and logs nobody out.
    await page.goto('/bills')
    await expect(page.getByText('กำลังเปลี่ยนเครื่อง')).toBeVisible()
  })

  await test.step('changed and ended in English: members read it in theirs, and are back', async () => {
    await officePage.emulateMedia({ colorScheme: 'dark' })
    await page.emulateMedia({ colorScheme: 'dark' })
    await shell.chooseLanguage('en')
    await officePage.getByRole('button', { name: en('maintenance.change') }).click()
    await dialog.getByLabel(en('maintenance.message_en')).fill('Nearly done')
    await dialog.getByLabel(en('common.reason.label')).fill('it goes well')
    await saveIn(dialog)
    await expect(officePage.getByRole('listitem').getByText('Nearly done')).toBeVisible()
    await checkScreen(officePage, info, 'office-maintenance-en')

    await page.locator('label:has(input[type=radio][value=en])').click()
    await page.getByRole('button', { name: en('away.maintenance.ask') }).click()
    await expect(page.getByText('Nearly done')).toBeVisible()
    await checkScreen(page, info, 'maintenance-en')
    await end(officePage, 'en')
    await expect(officePage.getByText(en('maintenance.none'))).toBeVisible()
    await page.getByRole('button', { name: en('away.maintenance.ask') }).click()
    await expect(page).toHaveURL(/\/bills$/)
    await expect(page.getByTestId('credit-remain')).toBeVisible()
  })

  await test.step('maintenance of one market', async () => {
    await officePage.getByRole('button', { name: en('maintenance.begin') }).click()
    await dialog.getByLabel(en('maintenance.scope')).selectOption('uk')
    await dialog.getByLabel(en('common.reason.label')).fill('the index is late')
    await saveIn(dialog)
    await expect(officePage.getByRole('heading', { name: 'UK' })).toBeVisible()
    await page.reload()
    await expect(page.getByTestId('credit-remain')).toBeVisible()
    await end(officePage, 'en')
  })

  await test.step('a member sees whose the screens of the office are, and log-ins are refused meanwhile', async () => {
    await page.goto('/office/maintenance')
    await expect(page).toHaveURL(/\/console\/members$/)
    await office.call(setMaintenance, { body: { is_on: true, reason: 'the journey wants it' } })
    await page.evaluate(() => localStorage.clear())
    const login = new LoginPage(page)
    await login.open()
    await login.fill('member02')
    await login.submit.click()
    await expect(page.getByText(refusals.maintenance.th)).toBeVisible()
    await office.call(setMaintenance, { body: { is_on: false, reason: 'the journey is over' } })
  })
})

for (const language of ['th', 'en'] as const)
  test(
    `the company announces, changes, hides and removes (${language})`,
    { tag: tagOf(language, 'th-phone') },
    async ({ isPhone }, info) => {
      const shell = new Shell(officePage, isPhone)
      const dialog = officePage.getByRole('dialog')
      await signIn(officePage, app.url, 'office01', language)
      await officePage.goto('/console')
      const t = wordsOf(language)
      const title = `${t('messages.news')} 42`
      await officePage.emulateMedia({ colorScheme: language === 'th' ? 'light' : 'dark' })
      await signIn(page, app.url, 'member01', language)
      await shell.follow(t('console.screen.announcements'))
      await officePage.getByRole('link', { name: t('console.tab.messages'), exact: true }).click()
      await officePage.getByRole('button', { name: t('messages.write') }).click()
      await saveIn(dialog)
      await expect(dialog.getByText(t('messages.problem.title')).first()).toBeVisible()
      await checkScreen(officePage, info, `office-announcement-form-${language}`)
      await dialog.getByLabel(t('messages.title_th')).fill(title)
      await dialog.getByLabel(t('messages.title_en')).fill(title)
      await dialog.getByLabel(language === 'th' ? t('messages.body_th') : t('messages.body_en')).fill('42\n43')
      await saveIn(dialog)
      const card = officePage.getByRole('listitem').filter({ hasText: title })
      await expect(card.getByText(t('messages.shown'), { exact: true })).toBeVisible()
      await checkScreen(officePage, info, `office-announcements-${language}`)
      await page.goto('/announcements')
      const read = page.getByRole('listitem').filter({ hasText: title })
      await expect(read).toBeVisible()

      await card.getByRole('button', { name: t('messages.change') }).click()
      await dialog.getByLabel(t('messages.title_th')).fill(`${title}!`)
      await dialog.getByLabel(t('messages.title_en')).fill(`${title}!`)
      await saveIn(dialog)
      await expect(officePage.getByRole('heading', { name: `${title}!` })).toBeVisible()
      await page.reload()
      await expect(read).toContainText(`${title}!`)

      await card.getByRole('button', { name: t('messages.hide'), exact: true }).click()
      await expect(card.getByText(t('messages.hidden'), { exact: true })).toBeVisible()
      await page.reload()
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
      await expect(page.getByTestId('skeleton')).toHaveCount(0)
      await expect(read).toHaveCount(0)

      await card.getByRole('button', { name: t('messages.remove'), exact: true }).click()
      await dialog.getByRole('button', { name: t('messages.remove'), exact: true }).click()
      await expect(card).toHaveCount(0)
    },
  )
