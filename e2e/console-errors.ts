// Errors in the console of the browser: what a page has written there, and what it has thrown and nobody caught. Among them are the
// warnings of React and what the content security policy has blocked.

import type { Browser, BrowserContext } from '@playwright/test'

/** Of this process, which runs one journey after another. */
const errors: string[] = []

/** The browser writes this itself for each reply above 399 and each lost call, which journeys cause on purpose. */
const isOfNetwork = (text: string): boolean => text.startsWith('Failed to load resource: ')

function watchContext(context: BrowserContext): void {
  context.on('console', (message) => {
    if (message.type() !== 'error' || isOfNetwork(message.text())) return
    errors.push(`${message.page()?.url() ?? 'a page'}: ${message.text()}`)
  })
  context.on('weberror', (one) => {
    // Before a page is loaded, there are only scripts of a journey, which may find no storage there.
    if (one.page()?.url() === 'about:blank') return
    const error = one.error()
    errors.push(`${one.page()?.url() ?? 'a page'}: uncaught: ${error.stack ?? error.message}`)
  })
}

/** Watches every page of a browser, also in contexts that a journey opens itself. */
export function watchBrowser(browser: Browser): void {
  const open = browser.newContext.bind(browser)
  browser.newContext = async (options) => {
    const context = await open(options)
    watchContext(context)
    return context
  }
}

/** The errors since the last call. */
export function takeConsoleErrors(): readonly string[] {
  return errors.splice(0)
}
