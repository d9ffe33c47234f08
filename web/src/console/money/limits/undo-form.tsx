import type { LimitRule, UndoneRow, UndoResult } from '@megalot/contract'
import { useQuery } from '@tanstack/react-query'
import { useTranslations } from 'use-intl'
import { ReasonForm } from '../../../ui/reason-form.tsx'
import { showToast } from '../../../lib/feedback/toast.ts'
import { formatCount } from '../../../lib/format/money.ts'
import { useChange } from '../../../lib/api/use-change.ts'
import { useRequestId } from '../../../lib/forms/use-request-id.ts'
import { Stack } from '../../../ui/layout.tsx'
import { QueryView, Skeleton } from '../../../ui/query-view.tsx'
import classes from './numbers.module.css'
import { undoRule, undoPreviewQuery } from './queries.ts'
import { useNumberWords } from './use-number-words.ts'

/** The effect of undoing a rule by number, and the reason. */
export function UndoForm({ rule: { rule_id }, onClose }: { rule: LimitRule; onClose: () => void }) {
  const t = useTranslations('numbers')
  const preview = useQuery(undoPreviewQuery(rule_id))
  const { isBusy, failure, run } = useChange(useRequestId(undoRule))
  const send = async (reason: string): Promise<void> => {
    if (!(await run({ rule_id, reason }))) return
    showToast('good', t('undo.done'))
    onClose()
  }
  return (
    <Stack gap={14}>
      <QueryView query={preview} skeleton={<Skeleton count={3} height={44} />}>
        {(result) => (
          <>
            <UndoPreview result={result} />
            <ReasonForm
              action={t('undo.submit')}
              isBusy={isBusy}
              failure={failure}
              onSend={(reason) => void send(reason)}
            />
          </>
        )}
      </QueryView>
    </Stack>
  )
}

function UndoPreview({ result: { rows, period_count } }: { result: UndoResult }) {
  const t = useTranslations('numbers')
  const { typeName, targetName, valueText } = useNumberWords()
  const kept = rows.filter(({ outcome }) => outcome === 'kept').length
  const sorted = rows.toSorted((one, other) => rank(one) - rank(other))
  return (
    <>
      <output data-testid="undo-preview">
        {t('undo.will', { count: formatCount(rows.length - kept), periods: period_count })}
        {kept > 0 && ` · ${t('undo.kept', { count: kept })}`}
      </output>
      {/* A list that is scrolled takes the focus, or the keyboard could not scroll it. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <ul className={classes.rows} tabIndex={0} aria-label={t('preview')}>
        {sorted.slice(0, ROWS_SHOWN).map((row) => (
          <li key={`${row.period_code ?? row.product_code} ${row.bet_type} ${row.number}`}>
            <strong>{row.number}</strong>
            <span>
              {typeName(row.bet_type)} · {targetName(row)}
            </span>
            <span className={row.outcome === 'kept' ? classes.kept : ''}>
              {t(`undo.row.${row.outcome}`, { value: valueText(row.after) })}
            </span>
          </li>
        ))}
      </ul>
      {rows.length > ROWS_SHOWN && (
        <p className={classes.dim}>{t('undo.more', { count: formatCount(rows.length - ROWS_SHOWN) })}</p>
      )}
    </>
  )
}

const ROWS_SHOWN = 300

/** Numbers that keep a later setting come first. */
function rank({ outcome }: UndoneRow): number {
  return outcome === 'kept' ? 0 : 1
}
