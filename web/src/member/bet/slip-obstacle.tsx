import { useTranslations } from 'use-intl'
import { RunningMessage } from './entry/mobile/running-message.tsx'
import { useShownSlip } from './slip/checked-slip.ts'
import { obstacleOf } from './submit/slip-obstacles.ts'
import type { DeskState } from './use-desk.ts'

/** Why the slip cannot be sent as it stands; null too where sending asks for the reward rate itself. */
export function useObstacle({ slip, lacking }: DeskState, isOpen: boolean): string | null {
  const t = useTranslations('bet')
  return useShownSlip(slip, ({ check }) => {
    const obstacle = isOpen ? obstacleOf(check, lacking, t) : null
    return lacking === 'no_package' && obstacle === t('refusal.no_package') ? null : obstacle
  })
}

/** The same above the keys of the keypad. */
export function SlipObstacle({ desk, isOpen }: { desk: DeskState; isOpen: boolean }) {
  const obstacle = useObstacle(desk, isOpen)
  return obstacle === null ? null : <RunningMessage look="bad" text={obstacle} />
}
