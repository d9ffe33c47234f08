import type { Language } from '@megalot/contract'
import type { Locator, Page } from '@playwright/test'
import { captchaAnswer } from '../api.ts'
import { type Words, wordsOf } from './words.ts'

export const demoAgentCode = 'AGENT01'

/** The registration form. */
export class RegisterPage {
  readonly submit: Locator
  private readonly page: Page
  private readonly words: Words

  constructor(page: Page, language: Language = 'th') {
    this.page = page
    this.words = wordsOf(language)
    this.submit = page.getByRole('button', { name: this.words('credentials.register.submit') })
  }

  async open(): Promise<void> {
    await this.page.goto('/auth/register')
    await this.page.getByTestId('captcha-image').waitFor()
  }

  /** @param changes the code is left as it is where it is null */
  async fill(
    username: string,
    password: string,
    {
      agentCode = demoAgentCode,
      email = `${username}@example.com`,
    }: { agentCode?: string | null; email?: string } = {},
  ): Promise<void> {
    const values: readonly (readonly [string, string])[] = [
      ...(agentCode === null ? [] : [[this.words('credentials.register.agent_code'), agentCode] as const]),
      [this.words('auth.username'), username],
      [this.words('credentials.register.display_name'), 'สมาชิก ใหม่'],
      [this.words('credentials.register.email'), email],
      [this.words('auth.password'), password],
      [this.words('credentials.register.confirm_password'), password],
      [this.words('auth.captcha'), captchaAnswer],
    ]
    const more = this.page.locator('details:not([open]) > summary')
    if (await more.isVisible()) await more.click()
    for (const [label, value] of values) await this.page.getByLabel(label, { exact: true }).fill(value)
  }

  /** Registers and waits until the first page is loaded. */
  async register(username: string, password: string): Promise<void> {
    await this.open()
    await this.fill(username, password)
    await this.submit.click()
    await this.page.getByTestId('credit-remain').waitFor()
  }
}

/** A name that no other journey uses. */
export function newUsername(projectName: string, what: string): string {
  return `${projectName}${what}${Date.now().toString(36)}`
}
