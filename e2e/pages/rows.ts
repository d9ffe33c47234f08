import { expect, type Locator } from '@playwright/test'

/**
 * Gives a row of a list the focus, so that keys reach it. A row that is drawn and not yet measured is hidden: the browser passes over
 * it, without an error, and a key that is pressed then goes to the page.
 */
export async function focusRow(row: Locator): Promise<void> {
  await expect(row).toBeVisible()
  await row.focus()
  await expect(row).toBeFocused()
}
