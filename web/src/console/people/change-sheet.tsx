import type { BulkResult } from '@megalot/contract'
import { useQuery } from '@tanstack/react-query'
import { useDeferredValue, useState } from 'react'
import { useTranslations } from 'use-intl'
import { useErrorMessage } from '../../lib/errors/use-error-message.ts'
import { useChange } from '../../lib/api/use-change.ts'
import { showToast } from '../../lib/feedback/toast.ts'
import { Alert } from '../../ui/alert.tsx'
import { Button } from '../../ui/button.tsx'
import { DialogSheet } from '../../ui/dialog-sheet.tsx'
import { Row, Stack } from '../../ui/layout.tsx'
import { ReasonField } from '../../ui/reason-field.tsx'
import { ChangeFields } from './change-fields.tsx'
import { ChangeOutcomes } from './change-outcomes.tsx'
import { countOf, initialDraft, readDraft } from './change-task.ts'
import type { ChangeDraft, ChangeTask } from './change-task.ts'
import classes from './people.module.css'
import { changePeople, previewQuery } from './queries.ts'
import type { PeopleChange } from './queries.ts'
import { usePaused } from '../../lib/forms/use-paused.ts'
import { useRequestId } from '../../lib/forms/use-request-id.ts'
import { useReasonCheck } from '../../lib/forms/reason.ts'
import { useForm } from '../../lib/forms/use-form.ts'

interface ChangeSheetProps {
  task: ChangeTask | null
  onClose: () => void
  onDone?: (task: ChangeTask, draft: ChangeDraft) => void
}

/** Changes one user or many: the form, the preview by user, and the outcome by user. */
export function ChangeSheet({ task, onClose, onDone }: ChangeSheetProps) {
  const t = useTranslations('people.change')
  const title =
    task === null
      ? ''
      : t(`title.${task.named ?? task.kind}`, { name: task.people[0]?.username ?? '', count: countOf(task) })
  return (
    <DialogSheet isOpen={task !== null} onClose={onClose} title={title} dismissible="explicitly">
      {task !== null && <ChangeForm task={task} onClose={onClose} {...(onDone === undefined ? {} : { onDone })} />}
    </DialogSheet>
  )
}

function ChangeForm({ task, onClose, onDone }: Omit<ChangeSheetProps, 'task'> & { task: ChangeTask }) {
  const t = useTranslations('people.change')
  const errorMessage = useErrorMessage()
  const [result, setResult] = useState<{ change: PeopleChange; made: BulkResult } | null>(null)
  const { isBusy, failure, run } = useChange(useRequestId(changePeople))
  const checkReason = useReasonCheck()
  const fields = useForm({
    initial: () => ({ draft: initialDraft(task), reason: task.reason ?? '' }),
    check: ({ draft, reason }) => {
      const read = readDraft(task, draft)
      return { draft: 'problem' in read ? t(`problem.${read.problem}`) : null, reason: checkReason(reason) }
    },
    send: () => send(),
  })
  const { draft, reason } = fields.values
  const read = readDraft(task, draft)
  const change = 'change' in read ? read.change : null
  // The preview follows typing without holding it up.
  const paused = usePaused(draft.amount)
  const shownDraft = useDeferredValue(draft)
  // A preview of thousands waits until typing pauses.
  const deferred = readDraft(task, task.found === undefined ? shownDraft : { ...shownDraft, amount: paused })
  const shown = 'change' in deferred ? deferred.change : null
  const preview = useQuery({ ...previewQuery(shown ?? { kind: 'sessions', user_ids: [] }), enabled: shown !== null })
  const name = task.people[0]?.username ?? ''
  const send = async (): Promise<void> => {
    if (change === null) return
    const sent = await run({ change, reason: reason.trim() })
    if (sent === null) return
    const made = sent.result
    if (made.ok_count > 0) {
      task.onChanged?.()
      onDone?.(task, draft)
    }
    // For one user it is enough to show that it is done; a refusal stays until it is read.
    if (made.refused_count > 0 || countOf(task) > 1) {
      setResult({ change, made })
      return
    }
    showToast(
      'good',
      t(`done.${change.kind === 'status' ? draft.status : task.kind}`, { name, below: made.outcomes[0]!.below_count }),
    )
    onClose()
  }
  if (result !== null)
    return (
      <Stack gap={12}>
        <ChangeOutcomes task={task} change={result.change} result={result.made} />
        <Button onClick={onClose}>{t('close')}</Button>
      </Stack>
    )
  return (
    <Stack noValidate as="form" gap={12} onSubmit={fields.submit}>
      <ChangeFields
        task={task}
        draft={draft}
        problem={fields.problems.draft ?? null}
        onChange={(next) => fields.change({ draft: next })}
      />
      {shown !== null && preview.data !== undefined && (
        <ChangeOutcomes task={task} change={shown} result={preview.data} />
      )}
      {shown !== null && preview.error !== null && <Alert kind="warn">{errorMessage(preview.error)}</Alert>}
      <ReasonField {...fields.propsOf('reason')} />
      {failure !== null && <Alert kind="bad">{failure}</Alert>}
      <Row gap={8} align="center" className={classes.buttons}>
        <Button type="submit" isBusy={isBusy} disabled={preview.data?.ok_count === 0}>
          {task.kind === 'status' && countOf(task) === 1
            ? t(`confirm_status.${draft.status}`, { name, below: preview.data?.outcomes[0]?.below_count ?? 0 })
            : t('confirm', { count: preview.data?.ok_count ?? countOf(task) })}
        </Button>
        <Button variant="default" onClick={onClose}>
          {t('cancel')}
        </Button>
      </Row>
    </Stack>
  )
}
