// Restores the focus when the focused element is removed. Browsers move it to the page, and the keys of a list stop working.

function isLost(): boolean {
  return document.activeElement === null || document.activeElement === document.body
}

function findInPage(selector: string): HTMLElement | null {
  return document.querySelector<HTMLElement>(`main ${selector}`)
}

/** Puts a lost focus on the row of the list that takes part in the tab order, or on the list where it has no rows. */
export function focusList(): void {
  if (!isLost()) return
  const target = findInPage('[data-grid-row][tabindex="0"]') ?? findInPage('[data-grid-frame]')
  target?.focus({ preventScroll: true })
}

/** The same after another page was opened; on a page without a list on its heading. */
export function focusPage(): void {
  focusList()
  const heading = findInPage('h1')
  if (!isLost() || heading === null) return
  heading.tabIndex = -1
  heading.focus({ preventScroll: true })
}
