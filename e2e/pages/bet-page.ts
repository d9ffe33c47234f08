import type { Language } from '@megalot/contract'
import type { Locator, Page } from '@playwright/test'
import type { Bet } from '../brute-force.ts'
import { Input } from './input.ts'

/** Style A, style B, and the one-handed keypad. */
export type EntryStyle = 'grid' | 'builder' | 'mobile'

type Column = 'number' | 'top' | 'bottom' | 'roll' | 'front'

/** The bet page with its grid: a number a row, and a column for each bet type's position. */
export class BetPage {
  readonly countdown: Locator
  readonly totalNet: Locator
  readonly submit: Locator
  /** The ticket's id in the dialog of an accepted ticket. */
  readonly orderId: Locator
  /** The dialog of a sent ticket: stays until it is read. */
  readonly answer: Locator
  readonly input: Input
  protected readonly page: Page
  protected readonly language: Language

  constructor(page: Page, isPhone: boolean, language: Language = 'th') {
    this.page = page
    this.input = new Input(page, isPhone)
    this.language = language
    this.countdown = page.getByTestId('countdown').first()
    this.totalNet = page.getByTestId('slip-total-net').filter({ visible: true })
    // While another entry style is loaded, the earlier one is still in the page, hidden.
    this.submit = page.getByTestId('submit-ticket').filter({ visible: true })
    this.orderId = page.getByTestId('order-id')
    this.answer = page.getByRole('dialog')
  }

  async open(product_code: string, style: EntryStyle = 'grid'): Promise<void> {
    await this.page.goto(`/bet/${product_code}`)
    await this.submit.waitFor()
    await this.chooseStyle(style)
  }

  /** The style of entry; the device remembers it. */
  chooseStyle(style: EntryStyle): Promise<void> {
    return this.input.choose(style)
  }

  cell(row: number, column: Column): Locator {
    return this.page.getByTestId(`cell-${row}-${column}`)
  }

  /** The reward rate: a button in the bar opens the choice. */
  async choosePackage(package_code: string): Promise<void> {
    const choice = this.page.getByTestId(`rate-${package_code}`)
    await this.input.press(this.page.getByTestId('rate'))
    await this.input.press(choice)
    await choice.waitFor({ state: 'hidden' })
  }

  /** Types a ticket into the grid, one row for each number and the columns it is bet on. */
  async fillGrid(bets: readonly Bet[]): Promise<void> {
    await this.chooseStyle('grid')
    const numbers = [...new Set(bets.map(({ number }) => number))]
    for (const [row, number] of numbers.entries()) {
      await this.cell(row, 'number').fill(number)
      for (const bet of bets.filter((one) => one.number === number)) {
        await this.cell(row, bet.bet_type.slice(1) as Column).fill(String(bet.bet_satang / 100))
      }
    }
  }

  /** Confirms that duplicate numbers on the slip are intended: without that the slip is not sent. */
  keepDuplicates(): Promise<void> {
    return this.input.press(this.page.getByTestId('duplicate-notice').getByRole('button').last())
  }

  send(): Promise<void> {
    return this.input.press(this.submit)
  }

  /** Closes the dialog of a sent ticket. */
  async closeAnswer(): Promise<void> {
    await this.input.press(this.answer.getByRole('button').last())
    await this.answer.waitFor({ state: 'hidden' })
  }

  /** Sends the slip and returns the id of its ticket. */
  async place(): Promise<number> {
    await this.send()
    const id = Number(await this.orderId.textContent())
    await this.closeAnswer()
    return id
  }

  /** The latest tickets of this period, beside the slip. */
  async showLatest(): Promise<Locator> {
    return this.page.getByRole('region').filter({ has: this.page.getByRole('heading', { level: 2 }) })
  }
}

/** On a phone the slip and the latest tickets are tabs. */
export class PhoneBetPage extends BetPage {
  override async showLatest(): Promise<Locator> {
    await this.input.choose('latest')
    return super.showLatest()
  }
}

export function betPageOf(page: Page, isPhone: boolean, language: Language = 'th'): BetPage {
  return isPhone ? new PhoneBetPage(page, isPhone, language) : new BetPage(page, isPhone, language)
}
