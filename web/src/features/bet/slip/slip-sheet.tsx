import { Button } from '@mantine/core'
import type { SlipTotals } from '@megalot/rules'
import type { ReactNode } from 'react'
import { useTranslations } from 'use-intl'
import { formatBaht } from '../../../lib/money.ts'
import { DialogSheet } from '../../../ui/dialog-sheet.tsx'
import classes from './slip-sheet.module.css'

interface SlipSheetProps {
  isOpen: boolean
  onClose: () => void
  totals: SlipTotals
  win_satang: number
  canSubmit: boolean
  onSubmit: () => void
  children: ReactNode
}

/** The slip from below, for the keypad: what it holds, and its totals in full. */
export function SlipSheet(props: SlipSheetProps) {
  const { isOpen, onClose, totals, win_satang, canSubmit, onSubmit, children } = props
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
              <dd className="number">{formatBaht(satang)}</dd>
            </div>
          ))}
        </dl>
        <div className={classes.send}>
          <Button fullWidth size="lg" disabled={!canSubmit} onClick={onSubmit}>
            {t('submit')}
          </Button>
        </div>
      </div>
    </DialogSheet>
  )
}
