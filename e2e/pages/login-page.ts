import type { Language } from '@megalot/contract'
import type { Locator, Page } from '@playwright/test'
import { captchaAnswer, demoPassword } from '../api.ts'
import { wordsOf } from './words.ts'

export class LoginPage {
  readonly username: Locator
  readonly password: Locator
  readonly captcha: Locator
  readonly picture: Locator
  readonly submit: Locator
  private readonly page: Page

  constructor(page: Page, language: Language = 'th') {
    const t = wordsOf(language)
    this.page = page
    this.username = page.getByLabel(t('auth.username'), { exact: true })
    this.password = page.getByLabel(t('auth.password'), { exact: true })
    this.captcha = page.getByLabel(t('auth.captcha'), { exact: true })
    this.picture = page.getByTestId('captcha-image')
    this.submit = page.getByRole('button', { name: t('auth.submit'), exact: true })
  }

  async open(): Promise<void> {
    await this.page.goto('/auth/login')
    await this.picture.waitFor()
  }

  async fill(username: string, { password = demoPassword, captcha = captchaAnswer } = {}): Promise<void> {
    await this.username.fill(username)
    await this.password.fill(password)
    await this.captcha.fill(captcha)
  }

  /** Logs in and waits until the first page is loaded. */
  async logIn(username: string): Promise<void> {
    await this.open()
    await this.fill(username)
    await this.submit.click()
    await this.page.getByTestId('credit-remain').waitFor()
  }

  async chooseLanguage(language: Language): Promise<void> {
    await this.page.locator(`label:has(input[type=radio][value=${language}])`).click()
  }
}

/** Opens the log-in page on a device that has kept nothing but the language and the web font. */
export async function openLogIn(page: Page, language: Language): Promise<LoginPage> {
  await page.evaluate((chosen) => {
    localStorage.clear()
    localStorage.setItem('megalot.language', chosen)
    localStorage.setItem('megalot.letters', 'true')
  }, language)
  const login = new LoginPage(page, language)
  await login.open()
  return login
}
