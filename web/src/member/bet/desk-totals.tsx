import type { ReactNode } from 'react'
import type { BettableState } from './market/bettable-state.ts'
import { useShownSlip } from './slip/checked-slip.ts'
import { SlipSheet } from './slip-view/slip-sheet.tsx'
import { TotalsBar } from './slip-view/totals-bar.tsx'
import { useBestWin } from './slip-view/use-best-win.ts'
import { useObstacle } from './slip-obstacle.tsx'
import { countTickets } from './submit/slip-obstacles.ts'
import type { DeskState } from './use-desk.ts'

// The parts of the desk that follow every key, apart from it, so that a key draws them and not the desk.

interface DeskTotalsProps {
  desk: DeskState
  credit_remain_satang: number
  state: BettableState
  onOpenSlip: (() => void) | null
  onSubmit: () => void
}

export function DeskTotals({ desk, credit_remain_satang, state, onOpenSlip, onSubmit }: DeskTotalsProps) {
  const { slip, lacking, isLocked } = desk
  const count = useShownSlip(slip, ({ check }) => check.lines.length)
  const totals = useShownSlip(slip, ({ check }) => check.totals)
  const obstacle = useObstacle(desk, state === 'open')
  const tickets = useShownSlip(slip, ({ check }) => countTickets(check))
  const win_satang = useBestWin(desk)
  return (
    <TotalsBar
      count={count}
      totals={totals}
      win_satang={win_satang}
      credit_after_satang={credit_remain_satang - totals.net_satang}
      isBusy={isLocked}
      isLoading={lacking === 'terms_loading'}
      state={state}
      obstacle={obstacle}
      tickets={tickets}
      onOpenSlip={onOpenSlip}
      onSubmit={onSubmit}
    />
  )
}

interface DeskSheetProps {
  desk: DeskState
  isOpen: boolean
  onClose: () => void
  state: BettableState
  onSubmit: () => void
  children: ReactNode
}

export function DeskSheet({ desk, isOpen, onClose, state, onSubmit, children }: DeskSheetProps) {
  const totals = useShownSlip(desk.slip, ({ check }) => check.totals)
  const tickets = useShownSlip(desk.slip, ({ check }) => countTickets(check))
  const win_satang = useBestWin(desk, isOpen)
  return (
    <SlipSheet
      isOpen={isOpen}
      onClose={onClose}
      totals={totals}
      win_satang={win_satang}
      tickets={tickets}
      state={state}
      isBusy={desk.isLocked || desk.lacking === 'terms_loading'}
      onSubmit={onSubmit}
    >
      {children}
    </SlipSheet>
  )
}
