import { type Language, type RefusalCode, type RefusalEnvelope, refusals } from '@megalot/contract'
import type { Page, Route } from '@playwright/test'

/**
 * Answers calls in the network's place until told to stop; then they go their way again. The route itself stays: where one
 * is taken away, whatever the browser asks for in that moment, a file of the page too, now and then gets no answer at all.
 */
export async function intercept(
  page: Page,
  address: string | RegExp,
  answer: (route: Route) => Promise<void>,
): Promise<() => void> {
  let isOver = false
  await page.route(address, (route) => (isOver ? route.continue() : answer(route)))
  return () => {
    isOver = true
  }
}

/** Answers a call as the server does where it refuses. */
export function refuse(
  route: Route,
  code: RefusalCode,
  language: Language,
  details: Record<string, unknown> = {},
): Promise<void> {
  const { http, [language]: message } = refusals[code]
  const json: RefusalEnvelope = { status: { code: http, message }, error: { code, details } }
  return route.fulfill({ status: http, json })
}

/** Holds calls until they are let go. */
export class Gate {
  release: () => void = () => undefined
  readonly isOpen = new Promise<void>((resolve) => {
    this.release = resolve
  })
}
