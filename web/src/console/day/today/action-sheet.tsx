import type { DayPeriod } from '@megalot/contract'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useLocale, useTranslations } from 'use-intl'
import { MarketName } from '../../../shared/markets/market-name.tsx'
import { nowInBangkok, readBangkok, writeBangkok } from '../../../lib/format/bangkok-field.ts'
import { ReasonForm } from '../../../ui/reason-form.tsx'
import { showToast } from '../../../lib/feedback/toast.ts'
import { isOutdated } from '../../../lib/errors/refusal.ts'
import { formatInstant } from '../../../lib/format/dates.ts'
import { useChange } from '../../../lib/api/use-change.ts'
import { useRequestId } from '../../../lib/forms/use-request-id.ts'
import { useReasonCheck } from '../../../lib/forms/reason.ts'
import { inWords, useForm } from '../../../lib/forms/use-form.ts'
import { Alert } from '../../../ui/alert.tsx'
import { Button } from '../../../ui/button.tsx'
import { Checkbox } from '../../../ui/checkbox.tsx'
import { DialogSheet } from '../../../ui/dialog-sheet.tsx'
import { Facts, Stack } from '../../../ui/layout.tsx'
import { ReasonField } from '../../../ui/reason-field.tsx'
import { TextInput } from '../../../ui/text-input.tsx'
import { voidedPeriodOf, waitingQuery } from '../approvals/queries.ts'
import type { DayAction } from './day-actions.ts'
import { periodTimeBounds } from '../../changes/period-bounds.ts'
import { findPeriodTimesProblems } from './period-times.ts'
import { propose } from '../../changes/queries.ts'
import { closeEarly } from './queries.ts'
import { useIsVoidSeen, VoidPreview } from './void-preview.tsx'

/** An action that was chosen for a period; entering a result has a page of its own. */
export interface ChosenAction {
  action: Exclude<DayAction, 'result'>
  row: DayPeriod
}

/** Shows the effect of an action, asks for the reason, and does it. */
export function ActionSheet({ chosen, onClose }: { chosen: ChosenAction | null; onClose: () => void }) {
  const t = useTranslations('day.action')
  return (
    <DialogSheet isOpen={chosen !== null} onClose={onClose} title={chosen === null ? '' : t(chosen.action)}>
      {chosen !== null && (
        <Stack gap={12}>
          <MarketName period={chosen.row.period} />
          {chosen.action === 'close' && <CloseForm row={chosen.row} onDone={onClose} />}
          {chosen.action === 'move' && <MoveForm row={chosen.row} onDone={onClose} />}
          {chosen.action === 'void' && <VoidForm row={chosen.row} onDone={onClose} />}
        </Stack>
      )}
    </DialogSheet>
  )
}

interface ActionProps {
  row: DayPeriod
  onDone: () => void
}

function CloseForm({ row, onDone }: ActionProps) {
  const t = useTranslations('day')
  const { isBusy, failure, run } = useChange(closeEarly)
  const close = async (reason: string): Promise<void> => {
    if (!(await run({ period_code: row.period.period_code, reason }))) return
    showToast('good', t('close.done'))
    onDone()
  }
  return (
    <>
      <p>{t('close.hint', { count: row.tickets })}</p>
      <ReasonForm
        action={t('action.close')}
        isBusy={isBusy}
        failure={failure}
        onSend={(reason) => void close(reason)}
      />
    </>
  )
}

function VoidForm({ row, onDone }: ActionProps) {
  const t = useTranslations('day')
  const { period_code } = row.period
  const { isBusy, error, failure, run } = useChange(useRequestId(propose))
  const isSeen = useIsVoidSeen(period_code)
  const { data: waiting = [] } = useQuery(waitingQuery)
  const request = waiting.find((one) => voidedPeriodOf(one) === period_code && one.may_decide)
  const ask = async (reason: string): Promise<void> => {
    if (!(await run({ kind: 'void_period', payload: { period_code }, reason }))) return
    showToast('plain', t('void.requested'))
    onDone()
  }
  return (
    <VoidPreview period_code={period_code}>
      <PeriodTimes period={row.period} />
      <p>{t('void.needs_second')}</p>
      {request !== undefined && (
        <Alert kind="warn">
          {t('void.asked', { name: request.begun_by.username })} <Link to="/approvals">{t('void.to_approvals')}</Link>
        </Alert>
      )}
      {/* Opens before the figures arrive, so that keys typed meanwhile reach its field. */}
      <ReasonForm
        action={t('void.ask')}
        isBusy={isBusy}
        isDisabled={!isSeen}
        failure={
          isOutdated(error) ? (
            <>
              <p>{failure}</p>
              <p>{t(request === undefined ? 'void.confirm_again' : 'void.read_again')}</p>
            </>
          ) : (
            failure
          )
        }
        onSend={(reason) => void ask(reason)}
      />
    </VoidPreview>
  )
}

/** When a period opens, closes and is drawn. */
function PeriodTimes({ period }: { period: DayPeriod['period'] }) {
  const t = useTranslations('day')
  const language = useLocale()
  const times = [
    [t('new_period.open_at'), period.open_at],
    [t('close_at'), period.close_at],
    [t('draw_at'), period.draw_at],
  ] as const
  return <Facts facts={times.map(([name, at]) => [name, formatInstant(at, language, 'dayAndTime')])} below={12} />
}

function MoveForm({ row: { period }, onDone }: ActionProps) {
  const t = useTranslations('day')
  const checkReason = useReasonCheck()
  const { isBusy, failure, run } = useChange(useRequestId(propose))
  const fields = useForm({
    initial: {
      close_at: writeBangkok(period.close_at),
      draw_at: writeBangkok(period.draw_at),
      isPostponed: false,
      reason: '',
    },
    check: ({ close_at, draw_at, reason }) => ({
      ...inWords(findPeriodTimesProblems({ open_at: '', close_at, draw_at }, nowInBangkok(), null), (problem) =>
        t(`move.${problem}`),
      ),
      reason: checkReason(reason),
    }),
    send: () => send(),
  })
  const send = async (): Promise<void> => {
    const { close_at, draw_at, isPostponed, reason } = fields.values
    const times = { close_at: readBangkok(close_at)!, draw_at: readBangkok(draw_at)! }
    const payload = { period_code: period.period_code, ...times }
    const kind = isPostponed ? ('postpone_period' as const) : ('move_period' as const)
    if (!(await run({ kind, payload, reason: reason.trim() }))) return
    showToast('plain', t('move.done'))
    onDone()
  }
  return (
    <Stack noValidate as="form" gap={12} onSubmit={fields.submit}>
      <p>{t('move.hint')}</p>
      <TextInput label={t('close_at')} type="datetime-local" {...periodTimeBounds()} {...fields.propsOf('close_at')} />
      <TextInput label={t('draw_at')} type="datetime-local" {...periodTimeBounds()} {...fields.propsOf('draw_at')} />
      <Checkbox label={t('move.postpone')} {...fields.propsOf('isPostponed')} />
      {fields.values.isPostponed && <p>{t('move.postpone_hint')}</p>}
      <ReasonField {...fields.propsOf('reason')} />
      {failure !== null && <Alert kind="bad">{failure}</Alert>}
      <Button type="submit" isBusy={isBusy}>
        {t('move.send')}
      </Button>
    </Stack>
  )
}
