import { expect, type Locator, type Page } from '@playwright/test'
import { focusRow } from './rows.ts'

/** How a page is operated: by touch on the phone, by keyboard on the desktop. */
export class Input {
  readonly isPhone: boolean
  private readonly page: Page

  constructor(page: Page, isPhone: boolean) {
    this.page = page
    this.isPhone = isPhone
  }

  /** A button, a link, or a row of a list. */
  async press(target: Locator): Promise<void> {
    if (this.isPhone) return target.tap()
    // A disabled element does not take the focus.
    await expect(target).toBeEnabled()
    await focusRow(target)
    await target.press('Enter')
  }

  /** A box to tick. */
  async tick(box: Locator): Promise<void> {
    if (this.isPhone) return box.tap()
    await expect(box).toBeEnabled()
    await box.press('Space')
  }

  /** A radio button by its value; on the page they lie behind their labels. */
  async choose(value: string, group = this.page.locator('body')): Promise<void> {
    const radio = group.locator(`input[type=radio][value="${value}"]`).first()
    await radio.waitFor({ state: 'attached' })
    if (await radio.isChecked()) return
    if (this.isPhone) await group.locator(`label:has(input[type=radio][value="${value}"])`).first().tap()
    else await radio.press('Space')
  }
}
