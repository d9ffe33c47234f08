import type { LevelPart, SummaryRow, WinLoss, WinLossSummary } from '@megalot/contract'
import IconChevronDown from '~icons/chevron-down'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { useLocale, useTranslations } from 'use-intl'
import { localizedName } from '../../lib/i18n/localized-name.ts'
import { formatDay } from '../../lib/format/dates.ts'
import { marketsQuery } from '../markets/queries.ts'
import { formatBaht, formatCount, formatSignedBaht } from '../../lib/format/money.ts'
import { Text } from '../../ui/layout.tsx'
import { MarketName } from '../markets/market-name.tsx'
import { Due, OwnPart, PassUp } from './sided.tsx'
import { WideTable } from '../../ui/wide-table.tsx'
import classes from './summary-table.module.css'

interface SummaryTableProps {
  summary: Pick<WinLossSummary, 'rows' | 'totals' | 'subject'>
  /** Of what the rows speak, for the head of their first column. */
  nameHead: string
  /** A member has no levels below it, and sees only its own columns. */
  isOwn: boolean
  /** Somebody below an operator, whose report it is. */
  username?: string | undefined
}

const memberColumns = ['tickets', 'received', 'win', 'discount', 'total'] as const
const levelColumns = ['share', 'win', 'commission'] as const

/**
 * An operator's sides first: what those below owe it, its own part, what it passes up. Then the columns that they come
 * from: of the members, of the level whose report it is, and of all above.
 */
export function SummaryTable({ summary: { rows, totals, subject }, nameHead, isOwn, username }: SummaryTableProps) {
  const t = useTranslations('reports')
  const hasBetween = Object.values(totals.between).some((satang) => satang !== 0)
  const levels: readonly Level[] = isOwn
    ? []
    : ([...(hasBetween ? (['between'] as const) : []), 'level', 'upline'] as const)
  const isLevel = !isOwn && subject.level !== 'member'
  const sides: readonly Side[] = isLevel
    ? (['due', 'own', ...(subject.level === 'company' ? [] : (['up'] as const))] as const)
    : []
  const sideHeads: Readonly<Record<Side, string>> = {
    due: username === undefined ? t('chair.due') : t('chair.due_of', { name: username }),
    own: username === undefined ? t('chair.own') : t('chair.own_of', { name: username }),
    up: t('chair.up'),
  }
  const line = { levels, sides, name: username, isOwn }
  const sum = (
    <tr data-testid="summary-totals">
      <th scope="row">{t('totals')}</th>
      <SideCells row={totals} sides={sides} name={username} />
      <MemberCells part={totals.member} isNeutral={!isOwn} />
      {levels.map((level) => (
        <LevelCells key={level} part={totals[level]} />
      ))}
    </tr>
  )
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
              {sides.length > 0 && (
                <th scope="colgroup" colSpan={sides.length} className={classes.group}>
                  {t('column.sides')}
                </th>
              )}
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
            {sides.map((side) => (
              <th key={side} scope="col" className={classes.figure} data-first={side === 'due' || undefined}>
                {sideHeads[side]}
              </th>
            ))}
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
        {/* Of hundreds of rows an operator reads the sum first. */}
        {!isOwn && <tbody className={classes.totals}>{sum}</tbody>}
        <tbody>
          {rows.map((row) => (
            <SummaryLine key={keyOf(row)} row={row} {...line} />
          ))}
        </tbody>
        {isOwn && <tfoot>{sum}</tfoot>}
      </table>
    </WideTable>
  )
}

type Level = 'between' | 'level' | 'upline'
type Side = 'due' | 'own' | 'up'

interface SummaryLineProps {
  row: SummaryRow
  levels: readonly Level[]
  sides: readonly Side[]
  name: string | undefined
  isOwn: boolean
}

/** A row. Of a member's, a phone shows the name and the result; a press shows the other figures. */
function SummaryLine({ row, levels, sides, name, isOwn }: SummaryLineProps) {
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
      <SideCells row={row} sides={sides} name={name} />
      <MemberCells part={row.member} isNeutral={!isOwn} />
      {levels.map((level) => (
        <LevelCells key={level} part={row[level]} />
      ))}
    </tr>
  )
}

function keyOf({ user, product_code, day, period }: SummaryRow): string {
  return `${user?.user_id ?? ''} ${product_code ?? ''} ${day ?? ''} ${period?.period_code ?? ''}`
}

interface SideCellsProps {
  row: Pick<SummaryRow, 'due_satang' | 'level' | 'upline'>
  sides: readonly Side[]
  name: string | undefined
}

function SideCells({ row: { due_satang, level, upline }, sides, name }: SideCellsProps) {
  const cells: Readonly<Record<Side, ReactNode>> = {
    due: <Due satang={due_satang} name={name} />,
    own: <OwnPart satang={level.total_satang} name={name} />,
    up: <PassUp satang={upline.total_satang} name={name} />,
  }
  return sides.map((side) => (
    <td key={side} className={classes.figure} data-first={side === 'due' || undefined} data-side={side}>
      {cells[side]}
    </td>
  ))
}

/** @param isNeutral for an operator: without the colours of the member's chair */
function MemberCells({ part, isNeutral }: { part: WinLoss; isNeutral: boolean }) {
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
      <td className={classes.figure} data-sign={isNeutral ? undefined : Math.sign(part.total_satang)}>
        {formatSignedBaht(part.total_satang)}
      </td>
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
    </>
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
