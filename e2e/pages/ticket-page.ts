import type { Locator, Page } from '@playwright/test'

/** One ticket with its items. */
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

  /** The row of one item. */
  item(name: string, number: string): Locator {
    return this.page
      .getByRole('row')
      .filter({ hasText: name })
      .filter({ has: this.page.getByText(number, { exact: true }) })
  }
}
