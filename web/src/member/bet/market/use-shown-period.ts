import type { Period } from '@megalot/contract'
import { useState } from 'react'
import { slipStoreOf, useDraft } from '../slip/slip-store.ts'

interface ShownPeriod {
  period: Period
  /** The period that was on screen before it. */
  before: Period | null
  /** No ticket is on its way, and no answer is unread. */
  isFree: boolean
}

/**
 * The period whose slip is on screen: the one the member chose, else the market's current one. An earlier one stays while
 * its ticket is on its way or its answer, a yes or a no, is unread, so that a period that closes never takes the answer away.
 */
export function useShownPeriod(user_id: number, product_code: string, current: Period): ShownPeriod {
  const [{ shown, before }, setShown] = useState<{ shown: Period; before: Period | null }>({
    shown: current,
    before: null,
  })
  const isFree = useDraft(
    slipStoreOf({ user_id, product_code, period_code: shown.period_code }),
    ({ pending, answer, not_placed, batch }) =>
      pending === null && answer === null && not_placed === null && batch === null,
  )
  // State that follows a prop, set while rendering: React renders again before anything reaches the screen.
  if (isFree && shown !== current) {
    setShown({ shown: current, before: shown.period_code === current.period_code ? before : shown })
  }
  return { period: isFree ? current : shown, before, isFree }
}
