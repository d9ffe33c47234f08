import type { BetTypeCode } from '@megalot/rules'
import { useTranslations } from 'use-intl'
import { formatBaht } from '../../lib/format/money.ts'
import { Button } from '../../ui/button.tsx'
import { TextInput } from '../../ui/text-input.tsx'
import pages from '../console-pages.module.css'
import type { BookResults } from './queries.ts'
import classes from './risk.module.css'
import { listExtraNumbers, noTriedDigits } from './tried-digits.ts'
import type { TriedDigits } from './tried-digits.ts'

interface TriedFormProps {
  results: BookResults
  bet_types: readonly BetTypeCode[]
  digits: TriedDigits
  onChange: (digits: TriedDigits) => void
}

const lengths = { top3: 3, bottom2: 2, front3: 7, back3: 7 } as const

/** "What if this comes?": a result is typed, and what it leaves is read, again with every bet. */
export function TriedForm({ results, bet_types, digits, onChange }: TriedFormProps) {
  const t = useTranslations('risk.tried')
  const names = ['top3', 'bottom2', ...listExtraNumbers(bet_types)] as const
  const { tried_satang } = results
  return (
    <section className={classes.part} aria-labelledby="risk-tried">
      <h2 id="risk-tried">{t('title')}</h2>
      <div className={pages.fields}>
        {names.map((name) => (
          <TextInput
            key={name}
            label={t(name)}
            inputMode="numeric"
            autoComplete="off"
            maxLength={lengths[name]}
            value={digits[name]}
            onChange={(event) => {
              const typed = event.currentTarget.value.replaceAll(/[^\d\s,]/g, '')
              onChange({ ...digits, [name]: typed })
            }}
          />
        ))}
      </div>
      <output
        className={`${classes.tried} ${tried_satang === null ? '' : tried_satang < 0 ? classes.loss : classes.profit}`}
        data-testid="tried"
      >
        {tried_satang === null
          ? t('none')
          : t(tried_satang < 0 ? 'loss' : 'profit', { amount: formatBaht(Math.abs(tried_satang)) })}
      </output>
      <Button variant="subtle" size="sm" onClick={() => onChange(noTriedDigits)}>
        {t('clear')}
      </Button>
    </section>
  )
}
