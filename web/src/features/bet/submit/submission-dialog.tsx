import { Button } from '@mantine/core'
import type { Order, OrderSummary } from '@megalot/contract'
import { IconCheck, IconPointFilled, IconX } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { Suspense, useState } from 'react'
import { useTranslations } from 'use-intl'
import { formatBaht, formatCount } from '../../../lib/money.ts'
import { DialogSheet } from '../../../ui/dialog-sheet.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { OrderStatusChip } from '../../../ui/order-status-chip.tsx'
import { Bones } from '../../../ui/query-view.tsx'
import { laterParts, lazyPart } from '../later-parts.ts'
import classes from './submission-dialog.module.css'
import type { Progress } from './use-submission.ts'

const steps = ['check_ticket', 'check_quota', 'create_ticket'] as const
type Mark = 'done' | 'busy' | 'waiting' | 'failed'

interface SubmissionDialogProps {
  progress: Progress
  answer: OrderSummary | null
  isAside: boolean
  onAside: () => void
  onRead: () => void
  onDismiss: () => void
  onSendAgain: () => void
  /** A word of the member has changed the ticket that is shown. */
  onChanged: (order: Order) => void
}

const PartialReceipt = lazyPart(laterParts.partialReceipt, ({ PartialReceipt: component }) => component)

/** The way of a ticket: its steps while it is on its way, then the answer, which stays until it is read. */
export function SubmissionDialog(props: SubmissionDialogProps) {
  const { progress, answer, isAside, onAside, onRead, onDismiss } = props
  const t = useTranslations('bet.submission')
  if (answer !== null) {
    return (
      <DialogSheet isOpen firmness="outside" onClose={onRead} title={t(titleOf(answer))}>
        <PlacedTicket key={answer.order_id} answer={answer} onRead={onRead} onChanged={props.onChanged} />
      </DialogSheet>
    )
  }
  return (
    <DialogSheet
      isOpen={progress.kind !== 'idle' && !isAside}
      firmness={progress.kind === 'sending' ? 'all' : 'outside'}
      onClose={isLookedFor(progress) ? onAside : onDismiss}
      title={t(`${progress.kind}.title`)}
    >
      {progress.kind !== 'idle' && <Way {...props} progress={progress} />}
    </DialogSheet>
  )
}

function titleOf({ status }: OrderSummary): 'placed.partial_title' | 'placed.ended_title' | 'placed.title' {
  if (status === 'WAIT_CONFIRM') return 'placed.partial_title'
  return hasEnded(status) ? 'placed.ended_title' : 'placed.title'
}

function hasEnded(status: OrderSummary['status']): boolean {
  return status === 'CANCELLED' || status === 'DELETED'
}

/** Whether the answer is still being waited for, and the member may do something else meanwhile. */
export function isLookedFor(progress: Progress): progress is { kind: 'looking' | 'recalling' | 'waiting' } {
  return progress.kind === 'looking' || progress.kind === 'recalling' || progress.kind === 'waiting'
}

interface WayProps extends SubmissionDialogProps {
  progress: Exclude<Progress, { kind: 'idle' }>
}

function Way({ progress, onAside, onDismiss, onSendAgain }: WayProps) {
  const t = useTranslations('bet.submission')
  return (
    <div className={classes.stack}>
      <StepList marks={marksOf(progress)} />
      {isLookedFor(progress) && (
        <>
          <Notice kind="warn">{t(`${progress.kind}.text`)}</Notice>
          <Button fullWidth variant="default" onClick={onAside}>
            {t('aside')}
          </Button>
        </>
      )}
      {progress.kind === 'refused' && (
        <Notice kind="bad" title={progress.message}>
          {t('refused.money')}
        </Notice>
      )}
      {progress.kind === 'absent' && (
        <>
          <Notice kind="warn" title={t('absent.text')}>
            {t('absent.money')}
          </Notice>
          <Button fullWidth onClick={onSendAgain}>
            {t('send_again')}
          </Button>
        </>
      )}
      {progress.kind === 'no_room' && (
        <Notice kind="bad" title={t('no_room.text')}>
          {t('no_room.money')}
        </Notice>
      )}
      {(progress.kind === 'refused' || progress.kind === 'absent' || progress.kind === 'no_room') && (
        <Button fullWidth variant={progress.kind === 'absent' ? 'default' : 'filled'} onClick={onDismiss}>
          {t('back_to_slip')}
        </Button>
      )}
    </div>
  )
}

/** A refused ticket failed its check: whatever the server says no to, nothing was taken. */
function marksOf(progress: Progress): readonly Mark[] {
  if (progress.kind === 'sending' || isLookedFor(progress)) return ['busy', 'waiting', 'waiting']
  return ['failed', 'waiting', 'waiting']
}

function StepList({ marks }: { marks: readonly Mark[] }) {
  const t = useTranslations('bet.submission')
  return (
    <ol className={classes.steps} aria-live="polite">
      {steps.map((step, index) => {
        const mark = marks[index] ?? 'waiting'
        return (
          <li key={step} className={classes.step} data-mark={mark}>
            <span className={classes.mark} aria-hidden="true">
              {mark === 'done' && <IconCheck size={18} stroke={2.5} />}
              {mark === 'failed' && <IconX size={18} stroke={2.5} />}
              {mark === 'busy' && <span className={classes.wheel} />}
              {mark === 'waiting' && <IconPointFilled size={14} />}
            </span>
            <span>{t(`step.${step}`)}</span>
            <span className={classes.word}>{t(`mark.${mark}`)}</span>
          </li>
        )
      })}
    </ol>
  )
}

interface PlacedTicketProps {
  answer: OrderSummary
  onRead: () => void
  onChanged: (order: Order) => void
}

function PlacedTicket({ answer, onRead, onChanged }: PlacedTicketProps) {
  const t = useTranslations('bet.submission')
  const isPartial = answer.status === 'WAIT_CONFIRM'
  // Once decided, the ticket stays in sight as it is then.
  const [wasPartial] = useState(isPartial)
  const figures = [
    ['items', formatCount(answer.item_count)],
    ['bet', formatBaht(answer.bet_satang)],
    ['received', formatBaht(answer.received_satang)],
    ['discount', formatBaht(answer.discount_satang)],
  ] as const
  return (
    <div className={classes.stack}>
      {!hasEnded(answer.status) && <StepList marks={['done', 'done', isPartial ? 'waiting' : 'done']} />}
      {wasPartial && (
        <Suspense fallback={<Bones count={3} height={60} />}>
          <PartialReceipt order_id={answer.order_id} onChanged={onChanged} />
        </Suspense>
      )}
      <div className={classes.ticket}>
        <p className={classes.id}>
          <span>
            {t('placed.number')} <strong data-testid="order-id">{answer.order_id}</strong>
          </span>
          <OrderStatusChip status={answer.status} />
        </p>
        <dl className={classes.figures}>
          {figures.map(([name, value]) => (
            <div key={name}>
              <dt>{t(`placed.${name}`)}</dt>
              <dd className="number">{value}</dd>
            </div>
          ))}
          <div className={classes.net}>
            <dt>{t('placed.net')}</dt>
            <dd className="number">{formatBaht(answer.net_satang)}</dd>
          </div>
        </dl>
      </div>
      <div className={classes.buttons}>
        <Link
          to="/bills/$order_id"
          params={{ order_id: String(answer.order_id) }}
          className={classes.link ?? ''}
          onClick={onRead}
        >
          {t('placed.see')}
        </Link>
        <Button onClick={onRead}>{t(isPartial ? 'placed.later' : 'placed.done')}</Button>
      </div>
    </div>
  )
}
