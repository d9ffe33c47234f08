import type { Locator, Page } from '@playwright/test'
import { wordsOf } from './words.ts'

const t = wordsOf('th')

const betTypeNames: Readonly<Record<string, string>> = {
  '3top': '3 ตัวบน',
  '3roll': '3 ตัวโต๊ด',
  '3front': '3 ตัวหน้า',
  '3bottom': '3 ตัวล่าง',
  '2top': '2 ตัวบน',
  '2bottom': '2 ตัวล่าง',
  '2roll': '2 ตัวโต๊ด',
  '1top': 'วิ่งบน',
  '1bottom': 'วิ่งล่าง',
}

/** One ticket with its items, in Thai. */
export class TicketPage {
  readonly status: Locator
  readonly content: Locator
  private readonly page: Page

  constructor(page: Page) {
    this.page = page
    this.status = page.getByTestId('order-status').first()
    this.content = page.getByRole('main')
  }

  async open(order_id: number): Promise<void> {
    await this.page.goto(`/bills/${order_id}`)
    await this.status.waitFor()
  }

  /** Opens the ticket's events. */
  async openHistory(): Promise<void> {
    await this.page.getByText(t('bills.history'), { exact: true }).click()
  }

  /** Opens the rates, discounts and statuses of the items. */
  async openItems(count: number): Promise<void> {
    await this.page.getByText(t('bills.items_title', { count }), { exact: true }).click()
  }

  /** The row of one item. */
  item(bet_type: string, number: string): Locator {
    // Not by role: on a phone each row is laid out as a card, and a table without table layout has no rows for a screen
    // reader.
    return this.content
      .locator('tr')
      .filter({ has: this.page.getByText(betTypeNames[bet_type] ?? bet_type, { exact: true }) })
      .filter({ has: this.page.getByText(number, { exact: true }) })
  }
}
