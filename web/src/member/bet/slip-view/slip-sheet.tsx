import { Button } from '../../../ui/button.tsx'
import type { SlipTotals } from '@megalot/rules'
import type { ReactNode } from 'react'
import { useTranslations } from 'use-intl'
import { formatBaht } from '../../../lib/format/money.ts'
import { DialogSheet } from '../../../ui/dialog-sheet.tsx'
import type { BettableState } from '../market/bettable-state.ts'
import classes from './slip-sheet.module.css'

interface SlipSheetProps {
  isOpen: boolean
  onClose: () => void
  totals: SlipTotals
  win_satang: number | null
  /** As how many tickets the slip is sent. */
  tickets: number
  state: BettableState
  isBusy: boolean
  onSubmit: () => void
  children: ReactNode
}

/** The keypad's slip as a bottom sheet: its rows and all totals. */
export function SlipSheet(props: SlipSheetProps) {
  const { isOpen, onClose, totals, win_satang, tickets, state, isBusy, onSubmit, children } = props
  const t = useTranslations('bet.totals')
  const figures = [
    ['bet', totals.bet_satang],
    ['discount', totals.discount_satang],
    ['net', totals.net_satang],
    ['win', win_satang],
  ] as const
  return (
    <DialogSheet isOpen={isOpen} onClose={onClose} title={t('slip')}>
      <div className={classes.slip}>
        {children}
        <dl className={classes.figures}>
          {figures.map(([name, satang]) => (
            <div key={name} data-name={name}>
              <dt>{t(name)}</dt>
              <dd className="number">{satang === null ? '–' : formatBaht(satang)}</dd>
            </div>
          ))}
        </dl>
        <div className={classes.send}>
          <Button isWide size="lg" disabled={state !== 'open' || isBusy} onClick={onSubmit}>
            {state === 'open' && tickets > 1
              ? t('submit_several', { tickets })
              : t(state === 'open' ? 'submit' : state)}{' '}
            {state === 'open' && <span className="number">{formatBaht(totals.net_satang)}</span>}
          </Button>
        </div>
      </div>
    </DialogSheet>
  )
}
