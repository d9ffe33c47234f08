// Measures the web vitals of a visit. Loaded late: browsers buffer what happened before.

import type { BodyOf, Rows } from '@megalot/contract'
import { reportVitals } from '@megalot/contract/browser'
import { onCLS, onINP, onLCP } from 'web-vitals'

/**
 * Sends the vitals when the page is first hidden, which may be its last event. A second beacon would count a visit twice.
 * @param readPage returns the pattern of the present page, without names or ids
 */
export function measureVitals(firstPage: string, readPage: () => string): void {
  const body: BodyOf<Rows['reportVitals']> = {}
  // Every rise, because the page on which a value rose may be gone when the page is hidden.
  const options = { reportAllChanges: true }
  onLCP(({ value }) => (body.lcp = { page: firstPage, value }), options)
  onINP(({ value }) => (body.inp = { page: readPage(), value }), options)
  onCLS(({ value }) => (body.cls = { page: readPage(), value }), options)
  const send = (): void => {
    if (document.visibilityState !== 'hidden') return
    removeEventListener('visibilitychange', send)
    if (Object.keys(body).length > 0)
      navigator.sendBeacon(reportVitals.path, new Blob([JSON.stringify(body)], { type: 'application/json' }))
  }
  addEventListener('visibilitychange', send)
}
