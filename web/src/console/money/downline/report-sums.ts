// Rows of sums over the rows of win and loss. Settled periods are in the totals; what awaits its result stands in a row of its own,
// at each level, so that the rows of a level always add up to the row above them.

import type { SummaryRow, WinLoss, WinLossSummary } from '@megalot/contract'
import type { GridColumn, GridSum } from '../../../ui/grid/grid-column.ts'
import { createElement } from 'react'
import type { ComponentType } from 'react'
import type { useTranslations } from 'use-intl'
import { Due, OwnPart, PassUp } from '../../../shared/reports/sided.tsx'
import type { SideProps } from '../../../shared/reports/sided.tsx'
import type { ReportChair } from './use-report-chair.ts'
import { amountColumn, countColumn } from './report-columns.tsx'

type SideWords = ReturnType<typeof useTranslations<'reports.chair'>>

interface SumWords {
  (
    name:
      | 'tickets'
      | 'received'
      | 'discount'
      | 'win'
      | 'member_total'
      | 'between_total'
      | 'own_share'
      | 'own_commission'
      | 'total'
      | 'pending',
  ): string
}

/** A member's sums of a period or a ticket, or the sums of several. */
export interface MoneyRow extends Omit<WinLoss, 'ticket_count' | 'bet_satang'> {
  /** False: its result is not known. Nothing is won or lost, and it is in no total. */
  isDecided: boolean
}

/** A member's stakes, awards and result. */
export function moneyColumns<Row extends MoneyRow>(t: SumWords): readonly GridColumn<Row>[] {
  const decided = (of: (row: Row) => number) => (row: Row) => (row.isDecided ? of(row) : null)
  return [
    amountColumn('received', t('received'), ({ received_satang }) => received_satang),
    amountColumn('discount', t('discount'), ({ discount_satang }) => discount_satang),
    amountColumn(
      'win',
      t('win'),
      decided(({ win_satang }) => win_satang),
    ),
    amountColumn(
      'member',
      t('member_total'),
      decided(({ total_satang }) => total_satang),
    ),
  ]
}

/** The sums under a member's periods or tickets; nothing is said of what there is none of. */
export function moneySums(
  t: SumWords,
  sums: { totals: WinLoss; pending: WinLoss } | undefined,
): readonly GridSum<WinLoss & MoneyRow>[] {
  if (sums === undefined) return []
  const { totals, pending } = sums
  return [
    { label: t('total'), row: { ...totals, isDecided: true } },
    ...(pending.ticket_count === 0 ? [] : [{ label: t('pending'), row: { ...pending, isDecided: false } }]),
  ]
}

type Parts = Pick<SummaryRow, 'between' | 'level' | 'upline' | 'due_satang'>

/** A row of a summary, or the sums of all of them. */
export interface SummedRow extends Partial<Pick<SummaryRow, 'user' | 'period' | 'day'>> {
  member: WinLoss
  /** Null: nothing is shared among the levels before the result is known. */
  parts: Parts | null
}

export function toSummedRow({ user, period, day, member, between, level, upline, due_satang }: SummaryRow): SummedRow {
  return { user, period, day, member, parts: { between, level, upline, due_satang } }
}

/** The sides of the level first: what those below owe it, its own part, what it passes up. Then the sums they come from. */
export function summaryColumns(t: SumWords, sides: SideWords, chair: ReportChair): readonly GridColumn<SummedRow>[] {
  const { name, isTop } = chair
  const decided = (of: (member: WinLoss) => number) => (row: SummedRow) => (row.parts === null ? null : of(row.member))
  const ofParts = (of: (parts: Parts) => number) => (row: SummedRow) => (row.parts === null ? null : of(row.parts))
  const optional = (column: GridColumn<SummedRow>) => ({ ...column, isOptional: true })
  return [
    sideColumn(
      'due',
      name === undefined ? sides('due') : sides('due_of', { name }),
      Due,
      name,
      (parts) => parts.due_satang,
    ),
    sideColumn(
      'level',
      name === undefined ? sides('own') : sides('own_of', { name }),
      OwnPart,
      name,
      ({ level }) => level.total_satang,
    ),
    ...(isTop ? [] : [sideColumn('upline', sides('up'), PassUp, name, ({ upline }) => upline.total_satang)]),
    countColumn('tickets', t('tickets'), ({ member }) => member.ticket_count),
    amountColumn('received', t('received'), ({ member }) => member.received_satang),
    amountColumn('discount', t('discount'), ({ member }) => member.discount_satang),
    amountColumn(
      'win',
      t('win'),
      decided(({ win_satang }) => win_satang),
    ),
    amountColumn(
      'member',
      t('member_total'),
      decided(({ total_satang }) => total_satang),
    ),
    optional(
      amountColumn(
        'between',
        t('between_total'),
        ofParts(({ between }) => between.total_satang),
      ),
    ),
    optional(
      amountColumn(
        'share',
        t('own_share'),
        ofParts(({ level }) => level.share_satang),
      ),
    ),
    optional(
      amountColumn(
        'commission',
        t('own_commission'),
        ofParts(({ level }) => level.commission_satang),
      ),
    ),
  ]
}

/** A column of an amount with the word of its side. */
function sideColumn(
  column: string,
  label: string,
  Side: ComponentType<SideProps>,
  name: string | undefined,
  of: (parts: Parts) => number,
): GridColumn<SummedRow> {
  return {
    name: column,
    label,
    isFigure: true,
    width: 'minmax(9rem, 1.2fr)',
    text: ({ parts }) => (parts === null ? '' : (of(parts) / 100).toFixed(2)),
    cell: ({ parts }) => (parts === null ? '–' : createElement(Side, { satang: of(parts), name })),
  }
}

/** The sums over a summary, of all its rows. */
export function summarySums(
  t: SumWords,
  summary: Pick<WinLossSummary, 'totals' | 'pending'> | undefined,
): readonly GridSum<SummedRow>[] {
  if (summary === undefined) return []
  const { member, ...parts } = summary.totals
  const { pending } = summary
  return [
    { label: t('total'), row: { member, parts } },
    ...(pending.ticket_count === 0 ? [] : [{ label: t('pending'), row: { member: pending, parts: null } }]),
  ]
}
