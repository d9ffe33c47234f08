import { useTranslations } from 'use-intl'
import classes from './quick-stakes.module.css'

const STAKES = [5, 10, 20, 50, 100, 500] as const

interface QuickStakesProps {
  onStake: (baht: number) => void
  isLocked: boolean
}

/** Usual amounts at one tap. The tap leaves the focus where it is, so that a phone keeps its keypad open. */
export function QuickStakes({ onStake, isLocked }: QuickStakesProps) {
  const t = useTranslations('bet.quick')
  return (
    <fieldset className={classes.stakes} aria-label={t('label')} disabled={isLocked}>
      <span className={classes.word} aria-hidden="true">
        {t('label')}
      </span>
      {STAKES.map((baht) => (
        <button
          key={baht}
          type="button"
          className={classes.stake}
          aria-label={t('stake', { baht: String(baht) })}
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => onStake(baht)}
        >
          {baht}
        </button>
      ))}
    </fieldset>
  )
}
