import type { Page } from '@playwright/test'

/** The last element of the top layer: elements behind a dialog are inert and cannot be found by position. */
export async function recordTopLayer(page: Page): Promise<() => Promise<string | undefined>> {
  await page.evaluate(() => {
    const put: string[] = []
    const record = (owner: object, method: string, name: string): void => {
      const show = Reflect.get(owner, method) as (this: unknown) => void
      Reflect.set(owner, method, function noted(this: unknown) {
        put.push(name)
        show.call(this)
      })
    }
    record(HTMLDialogElement.prototype, 'showModal', 'dialog')
    record(HTMLElement.prototype, 'showPopover', 'toasts')
    Object.assign(window, { put })
  })
  return () => page.evaluate(() => (window as unknown as { put: string[] }).put.at(-1))
}
