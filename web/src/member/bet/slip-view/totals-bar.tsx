import { Button } from '../../../ui/button.tsx'
import type { SlipTotals } from '@megalot/rules'
import IconAlertTriangle from '~icons/alert-triangle'
import IconChevronUp from '~icons/chevron-up'
import { memo } from 'react'
import { useTranslations } from 'use-intl'
import { formatBaht } from '../../../lib/format/money.ts'
import { useRootAttribute } from '../../../ui/root-attribute.ts'
import type { BettableState } from '../market/bettable-state.ts'
import classes from './totals-bar.module.css'

interface TotalsBarProps {
  count: number
  totals: SlipTotals
  /** The most the slip can win in one draw; null before a rate is chosen. */
  win_satang: number | null
  credit_after_satang: number
  isBusy: boolean
  /** The terms are being fetched: a press would be refused for a reason that is gone a moment later. */
  isLoading: boolean
  state: BettableState
  /** Why the slip cannot be sent as it stands. */
  obstacle: string | null
  /** As how many tickets the slip is sent. */
  tickets: number
  /** Opens the slip if it is not on screen. */
  onOpenSlip: (() => void) | null
  onSubmit: () => void
}

/** The slip's size and cost, always visible, and the send button. */
export function TotalsBar(props: TotalsBarProps) {
  const {
    count,
    totals,
    win_satang,
    credit_after_satang,
    isBusy,
    isLoading,
    state,
    obstacle,
    tickets,
    onOpenSlip,
    onSubmit,
  } = props
  const t = useTranslations('bet.totals')
  useRootAttribute('totals-bar')
  return (
    <section
      className={classes.bar}
      aria-label={t('label')}
      data-totals-bar=""
      data-compact={onOpenSlip === null ? undefined : ''}
    >
      <output className={classes.obstacle} id="slip-obstacle">
        {obstacle !== null && (
          <>
            <IconAlertTriangle size={17} stroke={1.75} aria-hidden="true" />
            <span>{obstacle}</span>
          </>
        )}
      </output>
      <dl className={classes.figures}>
        <div data-name="bet">
          <dt>{t('bet')}</dt>
          <dd className="number">{formatBaht(totals.bet_satang)}</dd>
        </div>
        <div data-name="discount">
          <dt>{t('discount')}</dt>
          <dd className="number">{formatBaht(totals.discount_satang)}</dd>
        </div>
        <div data-name="win">
          <dt>{t('win')}</dt>
          <dd className="number" data-testid="slip-best-win">
            {win_satang === null ? '–' : formatBaht(win_satang)}
          </dd>
        </div>
        <div className={classes.after} data-short={credit_after_satang < 0 || undefined}>
          <dt>{t('after')}</dt>
          <dd className="number">{formatBaht(credit_after_satang)}</dd>
        </div>
      </dl>
      {onOpenSlip !== null && (
        <button type="button" className={classes.open} aria-haspopup="dialog" onClick={onOpenSlip}>
          <IconChevronUp size={18} stroke={2} aria-hidden="true" />
          {t('open', { count })}
        </button>
      )}
      <p className={classes.net}>
        <span>{onOpenSlip === null ? t('net_of', { count }) : t('net')}</span>
        <strong className="number" data-testid="slip-total-net">
          {formatBaht(totals.net_satang)}
        </strong>
      </p>
      <SubmitButton
        isBusy={isBusy}
        isLoading={isLoading}
        state={state}
        tickets={tickets}
        net_satang={totals.net_satang}
        onSubmit={onSubmit}
      />
    </section>
  )
}

/** Below the width of a desktop it has the total, which elsewhere is beside it. */
const SubmitButton = memo(function SubmitButton({
  isBusy,
  isLoading,
  state,
  tickets,
  net_satang,
  onSubmit,
}: Pick<TotalsBarProps, 'isBusy' | 'isLoading' | 'state' | 'tickets' | 'onSubmit'> & { net_satang: number }) {
  const t = useTranslations('bet.totals')
  return (
    <Button
      className={classes.submit}
      size="lg"
      data-submit=""
      data-testid="submit-ticket"
      isBusy={isBusy}
      disabled={state !== 'open' || isLoading}
      aria-describedby="slip-obstacle"
      onClick={onSubmit}
    >
      <span>
        {state === 'open' && tickets > 1 ? t('submit_several', { tickets }) : t(state === 'open' ? 'submit' : state)}
      </span>{' '}
      {state === 'open' && (
        <span className={`number ${classes.sum}`} data-testid="slip-total-net">
          {formatBaht(net_satang)}
        </span>
      )}
    </Button>
  )
})
