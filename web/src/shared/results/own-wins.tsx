import { betTypeByCode } from '@megalot/rules'
import IconTrophy from '~icons/trophy'
import { Link } from '@tanstack/react-router'
import { useLocale, useTranslations } from 'use-intl'
import { localizedName } from '../../lib/i18n/localized-name.ts'
import { formatSignedBaht } from '../../lib/format/money.ts'
import { Row } from '../../ui/layout.tsx'
import classes from './own-wins.module.css'
import type { OwnWin } from './queries.ts'

/** The member's own winning items of one period, beside its result. */
export function OwnWins({ wins }: { wins: readonly OwnWin[] }) {
  const t = useTranslations('awards.own')
  const language = useLocale()
  if (wins.length === 0) return null
  return (
    <div className={classes.own} data-testid="own-wins">
      <Row as="p" nowrap gap={6} align="center" tone="good" strong>
        <IconTrophy size={18} stroke={1.75} aria-hidden="true" />
        {t('title', { count: wins.length })}
      </Row>
      <Row as="ul" gap={[2, 16]}>
        {wins.map(({ order_id, line_no, bet_type, number, win_satang }) => (
          <li key={`${order_id} ${line_no}`}>
            <Link to="/bills/$order_id" params={{ order_id: String(order_id) }} className={classes.win}>
              {localizedName(betTypeByCode[bet_type], language)} <strong>{number}</strong>{' '}
              <span className="number">{formatSignedBaht(win_satang)}</span>
              <span className="visually-hidden"> {t('ticket', { order_id: String(order_id) })}</span>
            </Link>
          </li>
        ))}
      </Row>
    </div>
  )
}

/** The own wins of one period. */
export function winsOf(wins: readonly OwnWin[] | undefined, period_code: string): readonly OwnWin[] {
  return wins?.filter((win) => win.period_code === period_code) ?? []
}
