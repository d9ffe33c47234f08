import { findBestWin, rateSlip } from '@megalot/rules'
import { useEffect, useState } from 'react'
import type { Desk } from '../desk.ts'
import { whenIdle } from '../../../lib/page/when-idle.ts'

/**
 * The most the slip can win in one draw; null before a rate is chosen. All draws are tried for it, so it follows once the browser has shown what
 * was typed.
 */
export function useBestWin({ slip, terms, numberStates }: Desk, isShown = true): number | null {
  const [win_satang, setWin] = useState(0)
  useEffect(() => {
    if (!isShown || terms === null) return undefined
    let computed: unknown = null
    let cancel = (): void => {}
    const compute = (): void => {
      const { lines } = slip.getState().check
      if (lines === computed) return
      computed = lines
      setWin(lines.length === 0 ? 0 : findBestWin(rateSlip(lines, terms, numberStates)).win_satang)
    }
    const schedule = (): void => {
      cancel()
      cancel = whenIdle(compute)
    }
    schedule()
    const end = slip.subscribe(schedule)
    return () => {
      end()
      cancel()
    }
  }, [slip, terms, numberStates, isShown])
  return terms === null ? null : win_satang
}
