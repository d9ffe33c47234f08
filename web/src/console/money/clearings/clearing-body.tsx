import type { ClearingWithLines } from '@megalot/contract'
import type { ReactNode } from 'react'
import { useLocale, useTranslations } from 'use-intl'
import { formatDay } from '../../../lib/format/dates.ts'
import { formatBaht, formatSignedBaht } from '../../../lib/format/money.ts'
import { MarketName } from '../../../shared/markets/market-name.tsx'
import { Card, Heading, Hint, Stack } from '../../../ui/layout.tsx'
import { EmptyNote } from '../../../ui/query-view.tsx'
import tables from '../../../ui/table.module.css'
import { WideTable } from '../../../ui/wide-table.tsx'
import { Balance, useMethodWords } from '../balance.tsx'
import classes from './clearings.module.css'

type Line = ClearingWithLines['lines'][number]

/** The sums and the lines of a statement, on screen and on paper. */
export function ClearingBody({ clearing }: { clearing: ClearingWithLines }) {
  const t = useTranslations('clearings')
  const { lines } = clearing
  return (
    <>
      <Sums clearing={clearing} />
      <Stack gap={8}>
        <Heading>{t('line.title')}</Heading>
        {lines.length === 0 ? (
          <EmptyNote title={t('line.none')} />
        ) : (
          <>
            <Hint>{t('line.hint')}</Hint>
            <Lines lines={lines} disputed_line={clearing.disputed_line} />
          </>
        )}
      </Stack>
    </>
  )
}

function Sums({ clearing }: { clearing: ClearingWithLines }) {
  const t = useTranslations('clearings.sum')
  const language = useLocale()
  const isAbove = clearing.side === 'above'
  const rows: (readonly [name: string, label: ReactNode, value: ReactNode, isTotal?: boolean])[] = [
    ['forward', t('forward'), <Balance key="forward" satang={clearing.forward_satang} isAbove={isAbove} />],
    ['received', t('received'), formatBaht(clearing.received_satang)],
    ['discount', t('discount'), formatBaht(0 - clearing.discount_satang)],
    ['commission', t('commission'), formatBaht(0 - clearing.commission_satang)],
    ['win', t('win'), formatBaht(0 - clearing.win_satang)],
    ['due', t('due'), <Balance key="due" satang={clearing.due_satang} isAbove={isAbove} />, true],
    ['payments', t('payments'), formatSignedBaht(clearing.payments_satang)],
  ]
  if (clearing.adjusted_satang !== 0) rows.push(['adjusted', t('adjusted'), formatSignedBaht(clearing.adjusted_satang)])
  for (const { kind, line_no, period, day, change_satang } of clearing.lines)
    if (kind === 'correction')
      rows.push([
        `correction ${line_no}`,
        <span key="period">
          {t('corrected')} · {period === null ? formatDay(day, language) : <MarketName period={period} />}
        </span>,
        formatSignedBaht(change_satang),
      ])
  rows.push([
    'carried',
    t('carried'),
    <Balance key="carried" satang={clearing.carried_satang} isAbove={isAbove} />,
    true,
  ])
  return (
    <Card as="section" pad={[12, 16]} most={560} aria-label={t('label')}>
      <dl className={classes.sums}>
        {rows.map(([name, label, value, isTotal]) => (
          <div key={name} data-total={isTotal || undefined} data-name={name}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </Card>
  )
}

interface LinesProps {
  lines: readonly Line[]
  disputed_line: number | null
}

const figure = (satang: number): string => (satang === 0 ? '–' : formatBaht(satang))

function Lines({ lines, disputed_line }: LinesProps) {
  const t = useTranslations('clearings.line')
  const language = useLocale()
  const figures = ['received', 'discount', 'commission', 'win'] as const
  return (
    <WideTable label={t('title')} isCard>
      <table className={tables.table}>
        <thead>
          <tr>
            <th scope="col">{t('no')}</th>
            <th scope="col">{t('what')}</th>
            <th scope="col">{t('day')}</th>
            {figures.map((name) => (
              <th key={name} scope="col" className={tables.figure}>
                {t(name)}
              </th>
            ))}
            <th scope="col" className={tables.figure}>
              {t('change')}
            </th>
          </tr>
        </thead>
        <tbody>
          {lines.map((line) => (
            <tr key={line.line_no} data-disputed={line.line_no === disputed_line || undefined} className={classes.line}>
              <td>{line.line_no}</td>
              <th scope="row">
                <LineName line={line} />
                {line.line_no === disputed_line && <span className={classes.mark}>{t('disputed')}</span>}
              </th>
              <td>{formatDay(line.day, language, 'shortDay')}</td>
              {figures.map((name) => (
                <td key={name} className={tables.figure}>
                  {figure(line[`${name}_satang`])}
                </td>
              ))}
              <td className={tables.figure}>
                <strong>{formatSignedBaht(line.change_satang)}</strong>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </WideTable>
  )
}

function LineName({ line: { kind, period, payment_number, method, change_satang } }: { line: Line }) {
  const t = useTranslations('clearings.line')
  const methods = useMethodWords()
  if (period !== null)
    return (
      <>
        <MarketName period={period} />
        {kind === 'correction' && <span className={classes.mark}>{t('correction')}</span>}
      </>
    )
  const number = payment_number ?? ''
  if (kind === 'adjustment') return t('adjustment', { number })
  // In the reader's favour is what the reader has paid.
  return `${t(change_satang < 0 ? 'received_money' : 'paid_money', { number })}${method === null ? '' : ` · ${methods[method]}`}`
}
