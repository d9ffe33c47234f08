import { useDeferredValue } from 'react'

/**
 * False while a page is drawn for the first time, true right after: what is not in sight is drawn then, so that what is
 * in sight need not wait for it.
 */
export function useDeferredMount(): boolean {
  return useDeferredValue(true, false)
}
