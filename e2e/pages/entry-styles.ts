import type { Locator, Page } from '@playwright/test'
import { Input } from './input.ts'
import { type Words } from './words.ts'

/** Style B: numbers of one kind by a chosen mode, then their stakes. */
export class Builder {
  readonly count: Locator
  readonly text: Locator
  private readonly add: Locator
  /** In the page, or in the sheet above another style. */
  private readonly root: Locator
  private readonly input: Input

  constructor(page: Page, isPhone: boolean) {
    this.root = page.locator('section:has([data-testid=add-entry])').last()
    this.input = new Input(page, isPhone)
    this.count = page.getByTestId('entry-count')
    this.add = page.getByTestId('add-entry')
    this.text = page.getByTestId('entry-text')
  }

  async choose(digits: 1 | 2 | 3, mode: string): Promise<void> {
    await this.input.choose(String(digits), this.root)
    await this.input.choose(mode, this.root.locator('fieldset:has(> label > input[name=entry-way])'))
  }

  /** Toggles digits of a jubwin, or numbers on the board. */
  async tap(numbers: readonly string[]): Promise<void> {
    for (const number of numbers) await this.input.press(this.root.getByRole('button', { name: number, exact: true }))
  }

  tick(name: string): Promise<void> {
    return this.input.tick(this.root.getByRole('checkbox', { name }))
  }

  amount(column: 'top' | 'bottom' | 'roll' | 'front'): Locator {
    return this.root.getByTestId(`amount-${column}`)
  }

  addEntry(): Promise<void> {
    return this.input.press(this.add)
  }
}

/** The one-handed keypad. */
export class Keypad {
  /** The number being typed. */
  readonly number: Locator
  private readonly page: Page
  private readonly input: Input
  private readonly words: Words

  constructor(page: Page, isPhone: boolean, words: Words) {
    this.page = page
    this.input = new Input(page, isPhone)
    this.words = words
    this.number = page.getByTestId('keypad-number')
  }

  /** The price of a column. */
  price(column: 'top' | 'bottom' | 'roll' | 'front'): Locator {
    return this.page.getByTestId(`keypad-price-${column}`)
  }

  /** Makes a column the one that the next price is for. */
  choose(column: 'top' | 'bottom' | 'roll' | 'front'): Promise<void> {
    return this.input.press(this.price(column))
  }

  /** A quick price. */
  quick(baht: number): Promise<void> {
    return this.press(this.words('bet.quick.stake', { baht: String(baht) }))
  }

  async key(digits: string): Promise<void> {
    for (const digit of digits) await this.press(digit)
  }

  /** A key, a chip or a quick stake by its text. */
  press(name: string | RegExp): Promise<void> {
    return this.input.press(this.page.getByRole('button', { name, exact: true }))
  }

  /**
   * The choices of rate, digits and columns, the keys and the send button that are not fully visible on the screen, and
   * keypad keys that are smaller than a finger needs.
   */
  findHidden(): Promise<string[]> {
    return this.page.evaluate(() => {
      const MIN_PX = 44
      scrollTo(0, 0)
      const keypad = [...document.querySelectorAll<HTMLElement>('main section fieldset')].flatMap((group) => [
        ...group.querySelectorAll<HTMLElement>('button, label'),
      ])
      const parts = keypad.filter((part) => part.closest('fieldset')!.getBoundingClientRect().top > 0)
      const shortcuts = parts.filter((part) => 'quiet' in part.dataset)
      const others = [
        ...document.querySelectorAll<HTMLElement>('main fieldset label:has(input[type=radio])'),
        ...document.querySelectorAll<HTMLElement>('main [data-submit]'),
      ]
      return [...new Set([...parts, ...others])].flatMap((part) => {
        if (shortcuts.includes(part)) return []
        const { left, top, width, height } = part.getBoundingClientRect()
        const met = document.elementFromPoint(left + width / 2, top + height / 2)
        const name = part.getAttribute('aria-label') ?? part.textContent
        if (met === null || !(part.contains(met) || met.contains(part))) return [`${name} is hidden`]
        const isSmall = parts.includes(part) && (width < MIN_PX || height < MIN_PX)
        return isSmall ? [`${name} is small: ${width} x ${height}`] : []
      })
    })
  }

  undo(): Promise<void> {
    const keys = this.page.getByRole('group', { name: this.words('entry.keypad.keys') })
    return this.input.press(keys.getByRole('button', { name: this.words('entry.keypad.undo') }))
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
