import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { formatBaht, formatCount } from '../../../lib/format/money.ts'
import { SelectField } from '../../../ui/select-field.tsx'
import { heatOf } from './board-rows.ts'
import type { BookResults } from './queries.ts'
import classes from './risk.module.css'
import type { TriedDigits } from './tried-digits.ts'

interface OutcomeGridProps {
  results: BookResults
  digits: TriedDigits
  onChange: (digits: TriedDigits) => void
}

const hundreds = Array.from({ length: 10 }, (_, value) => String(value))

/**
 * Profit or loss of every outcome: 100 top results at a time, and the 100 bottom results. Each is shown together with what is
 * chosen of the other part; where nothing is chosen, with the worst of it.
 */
export function OutcomeGrid({ results, digits, onChange }: OutcomeGridProps) {
  const t = useTranslations('risk.outcomes')
  const [hundred, setHundred] = useState('0')
  const { top_payouts_satang: tops, bottom_payouts_satang: bottoms, net_satang } = results
  const bottomCost = /^\d{2}$/.test(digits.bottom2) ? bottoms[Number(digits.bottom2)]! : Math.max(...bottoms)
  const topCost = /^\d{3}$/.test(digits.top3) ? tops[Number(digits.top3)]! : Math.max(...tops)
  const first = Number(hundred) * 100
  return (
    <section className={`${classes.part} ${classes.wide}`} aria-labelledby="risk-outcomes">
      <h2 id="risk-outcomes">{t('title')}</h2>
      <p className={classes.note}>{t('top', { with: /^\d{2}$/.test(digits.bottom2) ? digits.bottom2 : t('worst') })}</p>
      <div className={classes.hundreds}>
        <SelectField
          label={t('hundreds')}
          value={hundred}
          choices={hundreds.map((value) => ({ value, label: `${value}00–${value}99` }))}
          onChange={setHundred}
        />
      </div>
      <Outcomes
        label={t('tops')}
        first={first}
        digits={3}
        costs={tops.slice(first, first + 100)}
        most={Math.max(...tops)}
        net_satang={net_satang - bottomCost}
        chosen={digits.top3}
        onChoose={(top3) => onChange({ ...digits, top3 })}
      />
      <p className={classes.note}>{t('bottom', { with: /^\d{3}$/.test(digits.top3) ? digits.top3 : t('worst') })}</p>
      <Outcomes
        label={t('bottoms')}
        first={0}
        digits={2}
        costs={bottoms}
        most={Math.max(...bottoms)}
        net_satang={net_satang - topCost}
        chosen={digits.bottom2}
        onChoose={(bottom2) => onChange({ ...digits, bottom2 })}
      />
    </section>
  )
}

interface OutcomesProps {
  label: string
  first: number
  digits: 2 | 3
  costs: readonly number[]
  most: number
  /** Remainder before these costs. */
  net_satang: number
  chosen: string
  onChoose: (number: string) => void
}

const thousandsOf = (satang: number): string => formatCount(satang / 100_000)

function Outcomes({ label, first, digits, costs, most, net_satang, chosen, onChoose }: OutcomesProps) {
  return (
    <fieldset className={classes.group}>
      <legend className="visually-hidden">{label}</legend>
      <div className={classes.outcomes}>
        {costs.map((cost, index) => {
          const number = String(first + index).padStart(digits, '0')
          const result_satang = net_satang - cost
          return (
            <button
              key={number}
              type="button"
              className={classes.outcome}
              data-heat={heatOf(cost, most) || undefined}
              aria-pressed={chosen === number}
              aria-label={`${number} ${formatBaht(result_satang)}`}
              title={formatBaht(result_satang)}
              onClick={() => onChoose(number)}
            >
              {number}
              <small className={result_satang < 0 ? classes.loss : classes.profit}>{thousandsOf(result_satang)}</small>
            </button>
          )
        })}
      </div>
    </fieldset>
  )
}
