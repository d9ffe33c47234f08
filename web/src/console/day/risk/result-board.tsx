import type { Period } from '@megalot/contract'
import type { BetTypeCode } from '@megalot/rules'
import { useQuery } from '@tanstack/react-query'
import { Suspense, useState } from 'react'
import { useTranslations } from 'use-intl'
import { formatBaht, formatPercent } from '../../../lib/format/money.ts'
import { lazyComponent } from '../../../lib/page/lazy-component.ts'
import { Fact, Facts } from '../../../ui/layout.tsx'
import { EmptyNote, QueryView, Skeleton } from '../../../ui/query-view.tsx'
import { SegmentedControl } from '../../../ui/segmented-control.tsx'
import { WideTable } from '../../../ui/wide-table.tsx'
import type { RiskSearch } from './risk-search.ts'
import { BookHeadLine } from './book-head-line.tsx'
import { OutcomeGrid } from './outcome-grid.tsx'
import { bookResultsQuery } from './queries.ts'
import type { BookResults } from './queries.ts'
import { useUsualMeasure } from './use-board.ts'
import classes from './risk.module.css'
import { TriedForm } from './tried-form.tsx'
import { listExtraNumbers, noTriedDigits, readTried } from './tried-digits.ts'
import type { TriedDigits } from './tried-digits.ts'

const DistributionChart = lazyComponent(() => import('./distribution-chart.tsx'), 'DistributionChart')

interface ResultBoardProps {
  period: Period
  bet_types: readonly BetTypeCode[]
  search: RiskSearch
  onSearch: (search: RiskSearch) => void
}

/** The period by result: what each outcome leaves the house, or the part that an agent keeps. */
export function ResultBoard({ period, bet_types, search, onSearch }: ResultBoardProps) {
  const t = useTranslations('risk')
  const usual = useUsualMeasure() === 'own_payout' ? 'own' : 'whole'
  const part = search.part ?? usual
  const [digits, setDigits] = useState<TriedDigits>(noTriedDigits)
  const read = readTried(digits, bet_types)
  const query = useQuery(bookResultsQuery(period.period_code, part, read.result))
  return (
    <>
      <div className={classes.partChoice}>
        <SegmentedControl
          fill
          label={t('part')}
          value={part}
          choices={(['whole', 'own'] as const).map((value) => ({ value, label: t(`parts.${value}`) }))}
          onChange={(next) => {
            const { part: _before, ...rest } = search
            onSearch(next === usual ? rest : { ...rest, part: next })
          }}
        />
      </div>
      <QueryView query={query} skeleton={<Skeleton count={4} height={180} />}>
        {(results) => (
          <>
            <BookHeadLine head={{ ...results, arrived_ms: arrivalOf(query.dataUpdatedAt) }} />
            {results.line_count === 0 ? (
              <EmptyNote title={t('nothing')} />
            ) : (
              <div className={classes.results}>
                <Figures results={results} hasNumbers={listExtraNumbers(bet_types).length > 0} />
                <TriedForm
                  // While other digits are computed, the sum of the digits before is not theirs.
                  tried_satang={query.isPlaceholderData ? null : results.tried_satang}
                  {...{ bet_types, digits, read }}
                  onChange={setDigits}
                />
                <WorstResults {...{ results, digits }} onChange={setDigits} />
                <section className={`${classes.part} ${classes.wide}`} aria-labelledby="risk-distribution">
                  <h2 id="risk-distribution">{t('distribution')}</h2>
                  <Suspense fallback={<Skeleton count={1} height={240} />}>
                    <DistributionChart
                      histogram={results.histogram}
                      net_satang={results.net_satang}
                      percentile_99_satang={results.percentile_99_satang}
                      label={t('distribution_label')}
                    />
                  </Suspense>
                  <p className={classes.note}>{t('distribution_note')}</p>
                </section>
                <OutcomeGrid {...{ results, digits }} onChange={setDigits} />
              </div>
            )}
          </>
        )}
      </QueryView>
    </>
  )
}

/** The instant of `Date` at which a reply arrived, by the clock of `performance`. */
function arrivalOf(updatedAtMs: number): number {
  return performance.now() - (Date.now() - updatedAtMs)
}

function Figures({ results, hasNumbers }: { results: BookResults; hasNumbers: boolean }) {
  const t = useTranslations('risk')
  const { net_satang, worst_case_satang, worst_numbers, loss_chance, percentile_99_satang, resolution_satang } = results
  const amounts = [
    ['net', net_satang],
    ['worst_case', worst_case_satang],
    ['percentile', percentile_99_satang],
  ] as const
  return (
    <section className={classes.part} aria-labelledby="risk-figures">
      <h2 id="risk-figures">{t('figures.title')}</h2>
      <Facts below={12}>
        {amounts.map(([name, satang]) => (
          <Fact
            key={name}
            label={t(`figures.${name}`)}
            className={satang < 0 ? classes.loss : classes.profit}
            data-testid={`figure-${name}`}
          >
            {formatBaht(satang)}
          </Fact>
        ))}
        <Fact label={t('figures.loss_chance')} data-testid="figure-loss_chance">
          {formatPercent(loss_chance / 100)}
        </Fact>
      </Facts>
      {hasNumbers && <p className={classes.note}>{t('figures.worst_case_text')}</p>}
      {worst_numbers.payout_satang > 0 && (
        <p className={classes.note}>
          {t('figures.worst_numbers', {
            front: worst_numbers.front3.join(' '),
            back: worst_numbers.back3.join(' '),
            amount: formatBaht(worst_numbers.payout_satang),
          })}
        </p>
      )}
      {resolution_satang > 0 && (
        <p className={classes.note}>{t('figures.bound', { amount: formatBaht(resolution_satang) })}</p>
      )}
    </section>
  )
}

interface WorstResultsProps {
  results: BookResults
  digits: TriedDigits
  onChange: (digits: TriedDigits) => void
}

/** The fifty worst pairs of a top and a bottom result; one is tried by a press. */
function WorstResults({ results, digits, onChange }: WorstResultsProps) {
  const t = useTranslations('risk')
  return (
    <section className={classes.part} aria-labelledby="risk-worst">
      <h2 id="risk-worst">{t('worst.title', { count: results.worst.length })}</h2>
      {results.worst_numbers.payout_satang > 0 && (
        <p className={classes.note}>
          {t('worst.without_numbers', { amount: formatBaht(results.worst_numbers.payout_satang) })}
        </p>
      )}
      <p className={classes.note}>{t('worst.scroll')}</p>
      <WideTable label={t('worst.title', { count: results.worst.length })} className={classes.worstBox}>
        <table className={classes.worst}>
          <thead>
            <tr>
              <th scope="col">{t('worst.rank')}</th>
              <th scope="col">{t('worst.result')}</th>
              <th scope="col">{t('worst.amount')}</th>
            </tr>
          </thead>
          <tbody>
            {results.worst.map(({ top3, bottom2, result_satang }, index) => (
              <tr key={`${top3} ${bottom2}`}>
                <td>{index + 1}</td>
                <th scope="row">
                  <button
                    type="button"
                    className={classes.pick}
                    aria-pressed={digits.top3 === top3 && digits.bottom2 === bottom2}
                    onClick={() => onChange({ ...digits, top3, bottom2 })}
                  >
                    {top3} · {bottom2}
                  </button>
                </th>
                <td className={result_satang < 0 ? classes.loss : classes.profit}>{formatBaht(result_satang)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </WideTable>
    </section>
  )
}
