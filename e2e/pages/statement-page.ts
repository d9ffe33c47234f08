import type { Locator, Page } from '@playwright/test'

/** What moved the member's credit, newest first. */
export class StatementPage {
  readonly rows: Locator
  private readonly page: Page

  constructor(page: Page) {
    this.page = page
    this.rows = page.getByRole('main').locator('[data-row]')
  }

  async open(): Promise<void> {
    await this.page.goto('/reports/balance')
    await this.rows.first().waitFor()
  }
}
