import { Button } from '@mantine/core'
import type { SlipTotals } from '@megalot/rules'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useTranslations } from 'use-intl'
import { formatBaht, formatCount } from '../../lib/money.ts'
import classes from './totals-bar.module.css'

interface TotalsBarProps {
  count: number
  totals: SlipTotals
  credit_after_satang: number
  isBusy: boolean
  isOpen: boolean
  /** Why the slip cannot be sent as it stands. */
  obstacle: string | null
  onSubmit: () => void
}

/** What the slip holds and costs, always in sight, and the one button that matters. */
export function TotalsBar({ count, totals, credit_after_satang, isBusy, isOpen, obstacle, onSubmit }: TotalsBarProps) {
  const t = useTranslations('bet.totals')
  return (
    <section className={classes.bar} aria-label={t('label')} data-totals-bar="">
      <output className={classes.obstacle} id="slip-obstacle">
        {obstacle !== null && (
          <>
            <IconAlertTriangle size={17} stroke={1.75} aria-hidden="true" />
            <span>{obstacle}</span>
          </>
        )}
      </output>
      <dl className={classes.figures}>
        <div>
          <dt>{t('items')}</dt>
          <dd className="number">{formatCount(count)}</dd>
        </div>
        <div data-name="bet">
          <dt>{t('bet')}</dt>
          <dd className="number">{formatBaht(totals.bet_satang)}</dd>
        </div>
        <div data-name="discount">
          <dt>{t('discount')}</dt>
          <dd className="number">{formatBaht(totals.discount_satang)}</dd>
        </div>
        <div className={classes.after} data-short={credit_after_satang < 0 || undefined}>
          <dt>{t('after')}</dt>
          <dd className="number">{formatBaht(credit_after_satang)}</dd>
        </div>
      </dl>
      <p className={classes.net}>
        <span>{t('net')}</span>
        <strong className="number" data-testid="slip-total-net">
          {formatBaht(totals.net_satang)}
        </strong>
      </p>
      <Button
        className={classes.submit ?? ''}
        size="lg"
        data-testid="submit-ticket"
        loading={isBusy}
        disabled={!isOpen}
        aria-describedby="slip-obstacle"
        onClick={onSubmit}
      >
        {t(isOpen ? 'submit' : 'closed')}
      </Button>
    </section>
  )
}
