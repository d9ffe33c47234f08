import type { ApprovalPerson, EntryKind, PeriodChanges, TheoreticalReturn } from '@megalot/contract'
import { type ReactNode, useState } from 'react'
import { useLocale, useTranslations } from 'use-intl'
import { isOutdated } from '../../../lib/errors/refusal.ts'
import { useErrorMessage } from '../../../lib/errors/use-error-message.ts'
import { showToast } from '../../../lib/feedback/toast.ts'
import { formatDay, formatInstant } from '../../../lib/format/dates.ts'
import { formatBaht, formatPercent } from '../../../lib/format/money.ts'
import { useChange } from '../../../lib/api/use-change.ts'
import { useUser } from '../../../lib/user/user-query.ts'
import { Alert } from '../../../ui/alert.tsx'
import { Button } from '../../../ui/button.tsx'
import { DialogSheet } from '../../../ui/dialog-sheet.tsx'
import { Facts, Stack } from '../../../ui/layout.tsx'
import { SegmentedControl } from '../../../ui/segmented-control.tsx'
import { OneTimePassword } from '../../changes/one-time-password-view.tsx'
import { LatePeriods } from '../../changes/late-periods.tsx'
import { PeriodChangesNote } from '../../changes/period-changes-note.tsx'
import { StateChange } from '../../changes/state-change.tsx'
import { useIsVoidSeen, VoidPreview } from '../today/void-preview.tsx'
import classes from './approvals.module.css'
import { isOfResult, verdictsOf } from './decision-row.ts'
import type { DecisionRow } from './decision-row.ts'
import { HistoryLink, RecordLink, ResultLink } from './decision-links.tsx'
import { decisionOf, voidedPeriodOf } from './queries.ts'
import type { Verdict } from './queries.ts'
import { useReasonCheck } from '../../../lib/forms/reason.ts'
import { useForm } from '../../../lib/forms/use-form.ts'
import { ReasonField } from '../../../ui/reason-field.tsx'

interface DecisionSheetProps {
  open: { row: DecisionRow; verdict: Verdict | null } | null
  onClose: () => void
  /** The request that has replaced a row; undefined if none. */
  findWaiting: (row: DecisionRow) => DecisionRow | undefined
}

/** A request, its differences, and the second person's decision. */
export function DecisionSheet({ open, onClose, findWaiting }: DecisionSheetProps) {
  const kinds = useTranslations('audit.kind')
  /** Half of a one-time password, shown once. */
  const [half, setHalf] = useState<string | null>(null)
  const close = (): void => {
    setHalf(null)
    onClose()
  }
  return (
    <DialogSheet
      isOpen={open !== null}
      onClose={close}
      title={open === null ? '' : kinds(open.row.kind)}
      dismissible={half === null ? 'explicitly' : 'never'}
    >
      {open !== null && half !== null && (
        <OneTimePassword username={usernameIn(open.row)} password={half} part="second_half" onKept={close} />
      )}
      {open !== null && half === null && (
        <Decision {...open} findWaiting={findWaiting} onDone={(given) => (given === null ? close() : setHalf(given))} />
      )}
    </DialogSheet>
  )
}

interface DecisionProps extends Pick<DecisionSheetProps, 'findWaiting'> {
  row: DecisionRow
  verdict: Verdict | null
  /** With the caller's half of a one-time password, if there is one. */
  onDone: (half: string | null) => void
}

/** The chosen request. If it has changed meanwhile, its replacement, to be confirmed again. */
function Decision({ row, verdict, findWaiting, onDone }: DecisionProps) {
  const t = useTranslations('approvals')
  const [shown, setShown] = useState(row)
  /** Why the last attempt was refused, and whether anything still waits. */
  const [refusal, setRefusal] = useState<{ error: unknown; isGone: boolean } | null>(null)
  const errorMessage = useErrorMessage()
  const onOutdated = (error: unknown): void => {
    const now = findWaiting(row)
    setRefusal({ error, isGone: now === undefined })
    if (now !== undefined) setShown(now)
  }
  return (
    <>
      {refusal !== null && (
        <div className={classes.refusal}>
          <Alert kind="bad">
            <p>{errorMessage(refusal.error)}</p>
            <LatePeriods error={refusal.error} />
            <p>{t(refusal.isGone ? 'outdated.gone' : 'outdated.again')}</p>
          </Alert>
        </div>
      )}
      <Consequence row={shown} isGone={refusal?.isGone === true} />
      {refusal?.isGone !== true && (
        <DecisionForm row={shown} verdict={verdict} onOutdated={onOutdated} onDone={onDone} />
      )}
    </>
  )
}

/** Whom a proposal concerns, as the user logs in. */
function usernameIn({ approval }: DecisionRow): string {
  const username = approval?.figures['username']
  return typeof username === 'string' ? username : ''
}

function Consequence({ row, isGone }: { row: DecisionRow; isGone: boolean }) {
  const t = useTranslations('approvals')
  const language = useLocale()
  const moment = (at: string): string => formatInstant(at, language, 'dayAndTime')
  const { permissions } = useUser()
  const { approval, begun_by, decided } = row
  const voided_period = voidedPeriodOf(row)
  const first_day = approval?.payload['first_day']
  const waitingFacts: readonly (readonly [string, ReactNode])[] = [
    [t('column.expires_at'), row.expires_at === null ? t('never_expires') : moment(row.expires_at)],
    // A result is paid when both entries agree.
    ...(isOfResult(row)
      ? []
      : ([
          [t('takes_effect'), typeof first_day === 'string' ? formatDay(first_day, language) : t('at_once')],
        ] as const)),
  ]
  const nameOf = (person: ApprovalPerson | null): string => {
    if (person === null) return '–'
    const { username: name, acts_for: principal } = person
    return principal === null ? name : t('acts_for', { name, principal })
  }
  const facts: readonly (readonly [string, ReactNode])[] = [
    [t('column.subject'), <RecordLink key="record" row={row} />],
    [t('column.begun_by'), nameOf(begun_by)],
    [t('column.begun_at'), row.begun_at === null ? '–' : moment(row.begun_at)],
    [t('column.reason'), row.reason ?? '–'],
    ...(decided === null ? waitingFacts : []),
    ...(decided === null
      ? []
      : ([
          [t('column.state'), t(`state.${decided.outcome}`)],
          [t('column.decided_by'), nameOf(decided.decided_by)],
          [t('column.decided_at'), moment(decided.decided_at)],
          [t('column.verdict_reason'), decided.reason ?? '–'],
        ] as const)),
  ]
  return (
    <Stack gap={12} below={12}>
      {decided === null && <Alert kind="plain">{t(`consequence.${row.kind}`)}</Alert>}
      <Facts facts={facts} below={12} />
      {approval?.kind === 'void_order' && (
        <p>{t('order', { name: usernameIn(row), amount: formatBaht(Number(approval.before?.['net_satang'])) })}</p>
      )}
      {voided_period !== null && decided === null && !isGone && permissions.includes('periods.do') && (
        <VoidPreview period_code={voided_period} />
      )}
      {approval !== null && (
        <section aria-label={t(decided === null ? 'change' : 'proposed_change')} className={classes.change}>
          <h3>{t(decided === null ? 'change' : 'proposed_change')}</h3>
          <StateChange before={approval.before} after={approval.after} />
          <Returns figures={approval.figures} />
          {approval.kind === 'repair_ticket' && <Entries figures={approval.figures} />}
          {approval.kind === 'change_timetable' && (
            <PeriodChangesNote changes={approval.figures as unknown as PeriodChanges} />
          )}
        </section>
      )}
      {decided !== null && <HistoryLink row={row} />}
    </Stack>
  )
}

/** The average return of the proposed terms to members, and to a downline with its commission. */
function Returns({ figures }: { figures: Readonly<Record<string, unknown>> }) {
  const t = useTranslations('approvals')
  const { returns, return_rate: inAll } = figures
  if (!Array.isArray(returns) && typeof inAll !== 'number') return null
  return (
    <ul className={classes.list}>
      {((returns ?? []) as readonly TheoreticalReturn[]).map(({ bet_type, return_rate }) => (
        <li key={bet_type}>{t('returns', { bet_type, rate: formatPercent(return_rate) })}</li>
      ))}
      {typeof inAll === 'number' && <li>{t('return_in_all', { rate: formatPercent(inAll) })}</li>}
    </ul>
  )
}

/** The entries that a repair writes, by their kinds, which before and after do not show. */
function Entries({ figures }: { figures: Readonly<Record<string, unknown>> }) {
  const t = useTranslations('approvals')
  const kinds = useTranslations('reports.kind')
  const { entries } = figures
  if (!Array.isArray(entries)) return null
  return (
    <ul className={classes.list}>
      {(entries as readonly { kind: EntryKind; amount_satang: number }[]).map(({ kind, amount_satang }, index) => (
        <li key={index}>{t('entry', { kind: kinds(kind), amount: formatBaht(amount_satang) })}</li>
      ))}
    </ul>
  )
}

interface DecisionFormProps extends Pick<DecisionProps, 'row' | 'verdict' | 'onDone'> {
  /** The decision was refused because something has changed. What waits is read again by then. */
  onOutdated: (refused: unknown) => void
}

function DecisionForm({ row, verdict: chosen, onOutdated, onDone }: DecisionFormProps) {
  const t = useTranslations('approvals')
  const verdicts = verdictsOf(row)
  const checkReason = useReasonCheck()
  const fields = useForm({
    initial: { picked: chosen ?? verdicts[0], reason: '' },
    // A proposal has its own reason. A rejection or a withdrawal needs another one.
    check: ({ picked, reason }) => ({
      reason: picked === 'approve' && reason.trim() === '' ? null : checkReason(reason),
    }),
    send: ({ reason }) => send(reason.trim()),
  })
  const verdict = verdicts.find((one) => one === fields.values.picked)
  const { isBusy, error, failure, run } = useChange(decisionOf(row.kind), (_failure, refused) => {
    if (isOutdated(refused)) onOutdated(refused)
  })
  const { permissions } = useUser()
  const voided_period = voidedPeriodOf(row)
  const isVoided = voided_period !== null && verdict === 'approve' && permissions.includes('periods.do')
  const isSeen = useIsVoidSeen(voided_period ?? '', isVoided)
  if (row.decided !== null) return null
  if (isOfResult(row))
    return (
      <p>
        {row.is_locked ? t('locked_hint') : row.may_decide ? t('enter_result') : t('own_result')}{' '}
        <ResultLink row={row} otherwise="" />
      </p>
    )
  const { approval } = row
  if (verdict === undefined || approval === null) return <p>{t('not_yours')}</p>
  const isVoid = row.kind === 'void_period' || row.kind === 'void_order'
  const send = async (reason: string): Promise<void> => {
    const decided = await run({ approval_id: approval.approval_id, verdict, reason })
    if (decided === null) return
    showToast('good', t(`done.${verdict}`))
    onDone(decided.result)
  }
  return (
    <Stack noValidate as="form" gap={12} below={12} onSubmit={fields.submit}>
      {verdicts.length > 1 && (
        <SegmentedControl
          label={t('column.may')}
          value={verdict}
          choices={verdicts.map((value) => ({ value, label: t(`verdict.${value}`) }))}
          onChange={(picked) => fields.change({ picked })}
        />
      )}
      <ReasonField {...fields.propsOf('reason')} label={verdict === 'approve' ? t('reason_optional') : undefined} />
      {failure !== null && !isOutdated(error) && <Alert kind="bad">{failure}</Alert>}
      <Button
        type="submit"
        disabled={!isSeen}
        tone={verdict === 'approve' && !isVoid ? 'plain' : 'bad'}
        isBusy={isBusy}
      >
        {t(`confirm.${verdict}`)}
      </Button>
    </Stack>
  )
}
