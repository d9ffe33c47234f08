import type { RuleOutcome, LimitRuleResult, LimitRuleRow } from '@megalot/contract'
import { useMemo } from 'react'
import type { ReactNode } from 'react'
import { useTranslations } from 'use-intl'
import { formatBaht } from '../../../lib/format/money.ts'
import { Stack, Text } from '../../../ui/layout.tsx'
import { VirtualTable } from '../../../ui/virtual-table.tsx'
import classes from './numbers.module.css'
import { useNumberWords } from './use-number-words.ts'

const outcomes = ['set', 'unchanged', 'exception', 'not_offered'] as const satisfies readonly RuleOutcome[]

/** Totals of a rule's effect. */
export function PreviewSums({ preview }: { preview: LimitRuleResult }) {
  const t = useTranslations('numbers')
  const { rows, period_count, ticket_count } = preview
  const counts = outcomes.map((outcome) => [outcome, rows.filter((row) => row.outcome === outcome).length] as const)
  return (
    <Stack as="output" gap={2} className={classes.sums} data-testid="rule-preview">
      {counts
        .filter(([outcome, count]) => outcome === 'set' || count > 0)
        .map(([outcome, count]) => (
          <span key={outcome} data-outcome={outcome}>
            {t(`count.${outcome}`, { count, periods: period_count })}
          </span>
        ))}
      {ticket_count !== null && ticket_count > 0 && <span>{t('count.tickets', { count: ticket_count })}</span>}
    </Stack>
  )
}

/** A rule's effect by number, the highest stakes first. */
export function PreviewTable({ rows }: { rows: readonly LimitRuleRow[] }) {
  const t = useTranslations('numbers')
  const { typeName, targetName, valueText } = useNumberWords()
  const sorted = useMemo(() => rows.toSorted((one, other) => other.accepted_satang - one.accepted_satang), [rows])
  const cellsOf = (row: LimitRuleRow): Record<'number' | 'where' | 'before' | 'accepted' | 'outcome', ReactNode> => ({
    number: (
      <>
        <strong>{row.number}</strong> {typeName(row.bet_type)}
      </>
    ),
    where: targetName(row),
    before: valueText(row.before),
    accepted: formatBaht(row.accepted_satang),
    outcome: (
      <Text as="span" tone="dim" className={classes.outcome} data-outcome={row.outcome}>
        {t(`outcome.${row.outcome}`)}
        {row.outcome === 'set' && row.exception_count > 0 && ` · ${t('exceptions', { count: row.exception_count })}`}
      </Text>
    ),
  })
  return (
    <VirtualTable
      label={t('preview')}
      columns={[
        { name: 'number', label: t('column.number') },
        { name: 'where', label: t('column.where') },
        { name: 'before', label: t('column.before') },
        { name: 'accepted', label: t('column.accepted'), isFigure: true },
        { name: 'outcome', label: t('column.outcome') },
      ]}
      rows={sorted}
      keyOf={(row) => `${row.period_code ?? row.product_code} ${row.bet_type} ${row.number}`}
      className={classes.previewRow}
      rowPx={44}
      cellsOf={cellsOf}
    />
  )
}
