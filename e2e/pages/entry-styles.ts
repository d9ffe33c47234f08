import type { Locator, Page } from '@playwright/test'

/** Style B: numbers of one kind by a chosen way, then their stakes. */
export class Builder {
  readonly count: Locator
  readonly add: Locator
  readonly text: Locator
  private readonly page: Page

  constructor(page: Page) {
    this.page = page
    this.count = page.getByTestId('entry-count')
    this.add = page.getByTestId('add-entry')
    this.text = page.getByTestId('entry-text')
  }

  async choose(digits: 1 | 2 | 3, way: string): Promise<void> {
    await this.page.locator(`section label:has(input[type=radio][value="${digits}"])`).first().click()
    await this.page.locator(`label:has(input[name=entry-way][value=${way}])`).click()
  }

  /** Toggles digits of a jubwin, or numbers on the board. */
  async tap(numbers: readonly string[]): Promise<void> {
    for (const number of numbers) await this.page.getByRole('button', { name: number, exact: true }).click()
  }

  amount(column: 'top' | 'bottom' | 'roll' | 'front'): Locator {
    return this.page.getByTestId(`amount-${column}`)
  }
}

/** The keypad for one thumb. */
export class Keypad {
  readonly amount: Locator
  readonly undo: Locator
  private readonly page: Page

  constructor(page: Page) {
    this.page = page
    this.undo = page.getByRole('group', { name: 'แป้นตัวเลข' }).getByRole('button', { name: 'เลิกทำ' })
    this.amount = page.getByTestId('keypad-amount')
  }

  async press(digits: string): Promise<void> {
    for (const digit of digits) await this.page.getByRole('button', { name: digit, exact: true }).click()
  }

  /** A key, a chip or a quick stake by its words. */
  button(name: string | RegExp): Locator {
    return this.page.getByRole('button', { name, exact: true })
  }
}

/** The slip as a list: beside style B, in a sheet under the keypad. */
export class SlipList {
  readonly list: Locator

  constructor(page: Page) {
    this.list = page.getByTestId('slip-list')
  }

  /** Every stake as "number amount", in the order shown. */
  async stakes(): Promise<string[]> {
    return this.list
      .getByRole('textbox')
      .evaluateAll((fields) =>
        fields.map(
          (field) => `${field.parentElement?.firstElementChild?.textContent} ${(field as HTMLInputElement).value}`,
        ),
      )
  }
}
