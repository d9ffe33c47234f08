import type { GameConfig, Period, ProductPeriod, User } from '@megalot/contract'
import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { NO_STATES, limitNumbersQuery } from './board/number-states.ts'
import type { Desk, LackingTerms } from './desk.ts'
import { usePickedPackage } from './market/picked-package.ts'
import type { Package } from './market/picked-package.ts'
import { takenBetTypes } from '../../shared/markets/rate-table.tsx'
import { gameConfigQuery } from '../../shared/markets/rate-queries.ts'
import { createCheckedSlip } from './slip/checked-slip.ts'
import { createSlipChecker } from './slip/slip-check.ts'
import { useDraft } from './slip/slip-store.ts'
import type { SlipStore } from './slip/slip-store.ts'

/** Used until the server has said how many items a ticket may have. */
const USUAL_MAX_ITEMS = 500

interface DeskOf {
  user: User
  market: ProductPeriod
  period: Period
  isOpen: boolean
  packages: readonly Package[]
}

export interface DeskState extends Desk {
  package_code: string | null
  config: GameConfig | null
  /** Null where the terms are known. */
  lacking: LackingTerms | null
  refetchTerms: () => void
}

/** The slip with its market, terms and limits. A new object when anything but its rows changes. */
export function useDesk(store: SlipStore, { user, market, period, isOpen, packages }: DeskOf): DeskState {
  const isLocked = useDraft(store, (draft) => draft.pending !== null || (draft.batch?.waiting.length ?? 0) > 0)
  const package_code = usePickedPackage(store, market, packages)
  const { data: config = null, isError, refetch } = useQuery(gameConfigQuery(market.product_code, package_code))
  const lacking = config === null ? lackingTerms(package_code, isError) : null
  const { data: numberStates = NO_STATES } = useQuery(limitNumbersQuery(period.period_code, package_code))
  const offered = useMemo(() => takenBetTypes(market, config), [market, config])
  const [checkRows] = useState(createSlipChecker)
  const { credit_remain_satang } = user
  return useMemo(() => {
    const terms = config?.bet_types ?? null
    const max_items = config?.max_items ?? USUAL_MAX_ITEMS
    const context = { terms, offered, credit_remain_satang, max_items, is_open: isOpen, number_states: numberStates }
    const slip = createCheckedSlip(store, checkRows, context)
    const refetchTerms = (): void => void refetch()
    return {
      store,
      slip,
      offered,
      terms,
      numberStates,
      max_items,
      isLocked,
      package_code,
      config,
      lacking,
      refetchTerms,
    }
  }, [
    store,
    checkRows,
    offered,
    credit_remain_satang,
    isOpen,
    numberStates,
    isLocked,
    package_code,
    config,
    lacking,
    refetch,
  ])
}

function lackingTerms(package_code: string | null, isError: boolean): LackingTerms {
  if (package_code === null) return 'no_package'
  return isError ? 'terms_failed' : 'terms_loading'
}
