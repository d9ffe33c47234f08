import type { Language } from '@megalot/contract'
import type { Locator, Page } from '@playwright/test'
import { Input } from './input.ts'
import { wordsOf } from './words.ts'

/** The frame of every page. On a phone the member's panel, or the console's menu, is a drawer, on a desktop a sidebar. */
export class Shell {
  readonly credit: Locator
  readonly menu: Locator
  private readonly page: Page
  private readonly isPhone: boolean
  private readonly input: Input

  constructor(page: Page, isPhone: boolean) {
    this.page = page
    this.isPhone = isPhone
    this.input = new Input(page, isPhone)
    this.credit = page.getByTestId('credit-remain')
    this.menu = page.getByRole('navigation')
  }

  /** The member's panel, opened where necessary. */
  async openPanel(): Promise<Locator> {
    if (!this.isPhone) return this.page.getByRole('complementary')
    // Another dialog may be closing: the drawer is the one in which the language is chosen.
    const drawer = this.page.getByRole('dialog').filter({ has: this.page.locator('input[type=radio][value=th]') })
    if (!(await drawer.isVisible())) {
      const names = [wordsOf('th'), wordsOf('en')].flatMap((t) => [t('shell.panel.open'), t('console.menu.open')])
      await this.page.getByRole('button', { name: new RegExp(`^(${names.join('|')})$`) }).click()
    }
    return drawer
  }

  private async closePanel(): Promise<void> {
    if (this.isPhone) await this.page.keyboard.press('Escape')
  }

  async chooseLanguage(language: Language): Promise<void> {
    const panel = await this.openPanel()
    await this.input.choose(language, panel)
    await this.closePanel()
  }

  async chooseTheme(theme: 'light' | 'dark'): Promise<void> {
    const panel = await this.openPanel()
    await this.input.choose(theme, panel)
    await this.closePanel()
  }

  /** Follows a link of the panel. */
  async follow(name: string): Promise<void> {
    const panel = await this.openPanel()
    await panel.getByRole('link', { name, exact: true }).click()
  }

  async logOff(language: Language): Promise<void> {
    const panel = await this.openPanel()
    await panel.getByRole('button', { name: wordsOf(language)('shell.log_off') }).click()
  }
}
