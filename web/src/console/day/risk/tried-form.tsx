import type { BetTypeCode } from '@megalot/rules'
import { useTranslations } from 'use-intl'
import { formatBaht } from '../../../lib/format/money.ts'
import { Button } from '../../../ui/button.tsx'
import { TextInput } from '../../../ui/text-input.tsx'
import pages from '../../lists/lists.module.css'
import classes from './risk.module.css'
import { listExtraNumbers, listTriedFields, noTriedDigits } from './tried-digits.ts'
import type { ReadTried, TriedDigits } from './tried-digits.ts'

interface TriedFormProps {
  /** The house's profit or loss for the typed result; null if none is typed or the sum has not arrived. */
  tried_satang: number | null
  bet_types: readonly BetTypeCode[]
  digits: TriedDigits
  read: ReadTried
  onChange: (digits: TriedDigits) => void
}

/** Shows the profit or loss for a hypothetical result and updates it with each bet. */
export function TriedForm({ tried_satang, bet_types, digits, read, onChange }: TriedFormProps) {
  const t = useTranslations('risk.tried')
  const { problems } = read
  const isSum = tried_satang !== null
  const areNumbersMissing = isSum && listExtraNumbers(bet_types).some((name) => digits[name].trim() === '')
  return (
    <section className={classes.part} aria-labelledby="risk-tried">
      <h2 id="risk-tried">{t('title')}</h2>
      <div className={pages.fields}>
        {listTriedFields(bet_types).map((name) => (
          <TextInput
            key={name}
            label={t(name)}
            inputMode="numeric"
            autoComplete="off"
            value={digits[name]}
            onChange={(event) => onChange({ ...digits, [name]: event.currentTarget.value })}
            error={problems.includes(name) ? t(`problem.${name}`) : null}
          />
        ))}
      </div>
      <output
        className={isSum ? `${classes.tried} ${tried_satang < 0 ? classes.loss : classes.profit}` : classes.note}
        data-testid="tried"
      >
        {isSum
          ? t(tried_satang < 0 ? 'loss' : 'profit', { amount: formatBaht(Math.abs(tried_satang)) })
          : problems.length > 0
            ? t('incomplete')
            : 'top3' in read.result
              ? t('counting')
              : t('none')}
      </output>
      {areNumbersMissing && <p className={classes.note}>{t('without_numbers')}</p>}
      <Button variant="subtle" size="sm" onClick={() => onChange(noTriedDigits)}>
        {t('clear')}
      </Button>
    </section>
  )
}
