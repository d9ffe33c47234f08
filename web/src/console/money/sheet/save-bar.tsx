import { MAX_BULK_ROWS } from '@megalot/contract/browser'
import { useTranslations } from 'use-intl'
import { formatBaht } from '../../../lib/format/money.ts'
import { Button } from '../../../ui/button.tsx'
import { SelectField } from '../../../ui/select-field.tsx'
import { paymentMethods, useMethodWords } from '../balance.tsx'
import classes from './sheet.module.css'
import type { DayOfPayment, SheetDrafts } from './use-sheet-drafts.ts'

const days = ['today', 'yesterday'] as const satisfies readonly DayOfPayment[]

/** What the typed amounts come to, and how and when they were paid. */
export function SaveBar({ drafts, onSave }: { drafts: SheetDrafts; onSave: () => void }) {
  const t = useTranslations('sheet.bar')
  const ofPay = useTranslations('sheet.pay')
  const methods = useMethodWords()
  const { payments, wrongCount } = drafts
  const sumOf = (sign: 1 | -1): string =>
    formatBaht(payments.reduce((sum, { amount_satang }) => sum + Math.max(0, sign * amount_satang), 0))
  return (
    <section aria-label={t('label')} className={classes.bar}>
      <output className={classes.barText} data-testid="sheet-bar">
        {t('sums', { count: payments.length, received: sumOf(1), paid: sumOf(-1) })}
        {payments.length > MAX_BULK_ROWS && <span> · {t('part', { most: MAX_BULK_ROWS })}</span>}
        {wrongCount > 0 && <span className={classes.refused}> · {t('wrong', { count: wrongCount })}</span>}
      </output>
      <SelectField
        label={ofPay('method')}
        value={drafts.method}
        choices={paymentMethods.map((value) => ({ value, label: methods[value] }))}
        onChange={drafts.setMethod}
      />
      <SelectField
        label={ofPay('day')}
        value={drafts.day}
        choices={days.map((value) => ({ value, label: ofPay(value) }))}
        onChange={drafts.setDay}
      />
      <Button variant="default" onClick={drafts.clear}>
        {t('clear')}
      </Button>
      <Button disabled={payments.length === 0 || wrongCount > 0} onClick={onSave}>
        {t('review')}
      </Button>
    </section>
  )
}
