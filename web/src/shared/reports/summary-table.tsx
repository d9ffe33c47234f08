import type { LevelPart, SummaryRow, WinLoss, WinLossSummary } from '@megalot/contract'
import IconChevronDown from '~icons/chevron-down'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useLocale, useTranslations } from 'use-intl'
import { localizedName } from '../../lib/i18n/localized-name.ts'
import { formatDay } from '../../lib/format/dates.ts'
import { marketsQuery } from '../markets/queries.ts'
import { formatBaht, formatCount, formatSignedBaht } from '../../lib/format/money.ts'
import { Text } from '../../ui/layout.tsx'
import { MarketName } from '../markets/market-name.tsx'
import { WideTable } from '../../ui/wide-table.tsx'
import classes from './summary-table.module.css'

interface SummaryTableProps {
  summary: Pick<WinLossSummary, 'rows' | 'totals'>
  /** Of what the rows speak, for the head of their first column. */
  nameHead: string
  /** A member has no levels below it, and sees only its own columns. */
  isOwn: boolean
}

const memberColumns = ['tickets', 'received', 'win', 'discount', 'total'] as const
const levelColumns = ['share', 'win', 'commission', 'total'] as const

/** The columns of the members, of the level whose report it is, and of all above: so each sees where the money is. */
export function SummaryTable({ summary: { rows, totals }, nameHead, isOwn }: SummaryTableProps) {
  const t = useTranslations('reports')
  const hasBetween = Object.values(totals.between).some((satang) => satang !== 0)
  const levels: readonly Level[] = isOwn
    ? []
    : ([...(hasBetween ? (['between'] as const) : []), 'level', 'upline'] as const)
  return (
    <WideTable label={t('tabs.summary')} isCard>
      <table
        className={classes.table}
        data-has-levels={levels.length > 0 || undefined}
        data-two={levels.length === 0 || undefined}
      >
        <thead>
          {!isOwn && (
            <tr>
              <th scope="col">
                <span className="visually-hidden">{nameHead}</span>
              </th>
              <th scope="colgroup" colSpan={memberColumns.length} className={classes.group}>
                {t('column.member')}
              </th>
              {levels.map((level) => (
                <th key={level} scope="colgroup" colSpan={levelColumns.length} className={classes.group}>
                  {t(`column.${level}`)}
                </th>
              ))}
            </tr>
          )}
          <tr>
            <th scope="col">{nameHead}</th>
            {memberColumns.map((name) => (
              <th key={name} scope="col" className={classes.figure} data-first={name === 'tickets' || undefined}>
                {t(`sums.${name}`)}
              </th>
            ))}
            {levels.flatMap((level) =>
              levelColumns.map((name) => (
                <th
                  key={`${level} ${name}`}
                  scope="col"
                  className={classes.figure}
                  data-first={name === 'share' || undefined}
                >
                  {t(`sums.${name}`)}
                </th>
              )),
            )}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <SummaryLine key={keyOf(row)} row={row} levels={levels} />
          ))}
        </tbody>
        <tfoot>
          <tr data-testid="summary-totals">
            <th scope="row">{t('totals')}</th>
            <MemberCells part={totals.member} />
            {levels.map((level) => (
              <LevelCells key={level} part={totals[level]} />
            ))}
          </tr>
        </tfoot>
      </table>
    </WideTable>
  )
}

type Level = 'between' | 'level' | 'upline'

/** A row. Of a member's, a phone shows the name and the result; a press shows the other figures. */
function SummaryLine({ row, levels }: { row: SummaryRow; levels: readonly Level[] }) {
  const t = useTranslations('reports')
  const [isOpen, setIsOpen] = useState(false)
  return (
    <tr data-open={isOpen || undefined}>
      <th scope="row">
        <RowName row={row} />
        {levels.length === 0 && (
          <button
            type="button"
            className={classes.opener}
            aria-expanded={isOpen}
            aria-label={t('details')}
            onClick={() => setIsOpen(!isOpen)}
          >
            <IconChevronDown size={20} stroke={1.75} aria-hidden="true" />
          </button>
        )}
      </th>
      <MemberCells part={row.member} />
      {levels.map((level) => (
        <LevelCells key={level} part={row[level]} />
      ))}
    </tr>
  )
}

function keyOf({ user, product_code, day, period }: SummaryRow): string {
  return `${user?.user_id ?? ''} ${product_code ?? ''} ${day ?? ''} ${period?.period_code ?? ''}`
}

function MemberCells({ part }: { part: WinLoss }) {
  const t = useTranslations('reports.sums')
  return (
    <>
      <td className={classes.figure} data-first data-label={t('tickets')}>
        {formatCount(part.ticket_count)}
      </td>
      <td className={classes.figure} data-label={t('received')}>
        {formatBaht(part.received_satang)}
      </td>
      <td className={classes.figure} data-label={t('win')}>
        {formatBaht(part.win_satang)}
      </td>
      <td className={classes.figure} data-label={t('discount')}>
        {formatBaht(part.discount_satang)}
      </td>
      <Total satang={part.total_satang} />
    </>
  )
}

function LevelCells({ part }: { part: LevelPart }) {
  return (
    <>
      <td className={classes.figure} data-first>
        {formatBaht(part.share_satang)}
      </td>
      <td className={classes.figure}>{formatBaht(part.win_satang)}</td>
      <td className={classes.figure}>{formatBaht(part.commission_satang)}</td>
      <Total satang={part.total_satang} />
    </>
  )
}

function Total({ satang }: { satang: number }) {
  return (
    <td className={classes.figure} data-sign={Math.sign(satang)}>
      {formatSignedBaht(satang)}
    </td>
  )
}

function RowName({ row: { user, product_code, day, period } }: { row: SummaryRow }) {
  const levels = useTranslations('user.level')
  const language = useLocale()
  const { data: markets = [] } = useQuery(marketsQuery)
  if (period !== null) return <MarketName period={period} />
  if (user !== null) {
    return (
      <>
        {user.username}{' '}
        <Text as="span" size="small" tone="dim">
          {levels(user.level)}
        </Text>
      </>
    )
  }
  if (day !== null) return day.length === 7 ? formatDay(`${day}-01`, language, 'month') : formatDay(day, language)
  const market = markets.find((one) => one.product_code === product_code)
  return market === undefined ? product_code : localizedName(market, language)
}
