import { type Language, type RefusalCode, type RefusalEnvelope, refusals } from '@megalot/contract'
import type { Page, Route } from '@playwright/test'

/**
 * Fulfils calls in place of the network until it is stopped; then they pass again. The route itself stays: after its
 * removal any request that the browser makes in that moment, also for a file of the page, now and then gets no reply.
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

/** Replies like the server where it refuses. */
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

/** Holds calls until they are released. */
export class Gate {
  release: () => void = () => undefined
  readonly isOpen = new Promise<void>((resolve) => {
    this.release = resolve
  })
}
