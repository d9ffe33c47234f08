import type { GameConfig, Period, ProductPeriod, User } from '@megalot/contract'
import { findBestWin, rateSlip } from '@megalot/rules'
import { useQuery } from '@tanstack/react-query'
import { useDeferredValue, useMemo } from 'react'
import { NO_STATES, limitNumbersQuery } from './board/number-states.ts'
import type { Desk } from './desk.ts'
import { lastPackageOf } from './market/package-memory.ts'
import { takenBetTypes } from './market/package-picker.tsx'
import { gameConfigQuery } from './queries.ts'
import { checkRows } from './slip/slip-check.ts'
import { useDraft } from './slip/slip-store.ts'
import type { Draft, SlipStore } from './slip/slip-store.ts'

/** Used until the server has said how many items a ticket may have. */
const USUAL_MAX_ITEMS = 500

export interface Package {
  package_code: string
  name: string
}

interface DeskOf {
  user: User
  market: ProductPeriod
  period: Period
  isOpen: boolean
  packages: readonly Package[]
}

export interface DeskState extends Desk {
  draft: Draft
  package_code: string | null
  config: GameConfig | null
}

/** The slip with everything the page knows of it, put together anew when any of it changes. */
export function useDesk(store: SlipStore, { user, market, period, isOpen, packages }: DeskOf): DeskState {
  const draft = useDraft(store)
  const package_code = pickedPackage(draft.package_code ?? lastPackageOf(market.product_code), packages)
  const { data: config = null } = useQuery(gameConfigQuery(market.product_code, package_code))
  const { data: numberStates = NO_STATES } = useQuery(limitNumbersQuery(period.period_code))
  const offered = useMemo(() => takenBetTypes(market, config), [market, config])
  const terms = config?.bet_types ?? null
  const { rows, kept_duplicates } = draft
  const check = useMemo(
    () =>
      checkRows(
        rows,
        {
          terms,
          offered,
          credit_remain_satang: user.credit_remain_satang,
          max_items: config?.max_items ?? USUAL_MAX_ITEMS,
          is_open: isOpen,
          number_states: numberStates,
        },
        kept_duplicates,
      ),
    [rows, kept_duplicates, terms, offered, user.credit_remain_satang, config, isOpen, numberStates],
  )
  const isLocked = draft.pending !== null
  // The same object as long as nothing in it changes: what is drawn from it need not be drawn again.
  return useMemo(
    () => ({ store, rows, check, offered, terms, numberStates, isLocked, draft, package_code, config }),
    [store, rows, check, offered, terms, numberStates, isLocked, draft, package_code, config],
  )
}

/** The most the slip can win in one draw, a moment behind what is typed. */
export function useBestWin({ check, terms, numberStates }: Desk): number {
  const lines = useDeferredValue(check.lines)
  return useMemo(
    () => (lines.length === 0 ? 0 : findBestWin(rateSlip(lines, terms ?? [], numberStates)).win_satang),
    [lines, terms, numberStates],
  )
}

/** The package of the slip where the member still has it; the only one there is needs no picking. */
function pickedPackage(wanted: string | null, packages: readonly Package[]): string | null {
  if (packages.some((one) => one.package_code === wanted)) return wanted
  return packages.length === 1 ? packages[0]!.package_code : null
}
