import type { NumberState } from '@megalot/rules'
import IconAlertTriangle from '~icons/alert-triangle'
import IconCircleHalf2 from '~icons/circle-half-2'
import IconLock from '~icons/lock'
import { useTranslations } from 'use-intl'
import type { RowState } from '../slip/row-check.ts'
import { stateOfProblem } from './number-states.ts'

const icons = { yellow: IconAlertTriangle, half: IconCircleHalf2, grey: IconLock } as const

interface NumberMarkProps {
  state: NumberState | null
  /** The word stands beside the sign for everybody to see, where there is room for it. */
  hasWord?: boolean
}

/** The sign of a number that is nearly full, pays half or is closed, with its word for readers. */
export function NumberMark({ state, hasWord = false }: NumberMarkProps) {
  const t = useTranslations('entry.board')
  if (state === null) return null
  const Sign = icons[state]
  return (
    <>
      <Sign size={13} stroke={2} aria-hidden="true" />
      <span className={hasWord ? undefined : 'visually-hidden'}>{t(state)}</span>
    </>
  )
}

interface ProblemSignProps {
  problem: RowState['problem']
  size: number
  className?: string | undefined
}

/** The icon of a problem. If the number's state is the problem, the icon of the state. */
export function ProblemSign({ problem, size, className }: ProblemSignProps) {
  const Sign = icons[stateOfProblem(problem) ?? 'yellow']
  return <Sign size={size} stroke={1.75} aria-hidden="true" className={className} />
}
