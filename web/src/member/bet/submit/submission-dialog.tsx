import { Button } from '../../../ui/button.tsx'
import type { Order, OrderSummary, RateChange } from '@megalot/contract'
import type { SlipLine } from '@megalot/rules'
import { CatchBoundary, Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { Suspense, useEffect, useEffectEvent, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { useTranslations } from 'use-intl'
import { queryClient } from '../../../lib/api/query-client.ts'
import { queryKeys } from '../../../lib/api/query-keys.ts'
import { formatBaht } from '../../../lib/format/money.ts'
import { DialogSheet } from '../../../ui/dialog-sheet.tsx'
import { Alert } from '../../../ui/alert.tsx'
import { Skeleton } from '../../../ui/query-view.tsx'
import { isTakenWhole } from '../../tickets/taken-whole.ts'
import { lazyChunks } from '../lazy-chunks.ts'
import type { TicketBatch } from '../slip/ticket-batch.ts'
import { RefusedTicket } from './refused-ticket.tsx'
import { StepList, useStepSentence } from './step-list.tsx'
import {
  countDecided,
  isResolving,
  marksOfProgress,
  marksOfTicket,
  marksOfTurn,
  stepUnderWay,
} from './step-statuses.ts'
import classes from './submission-dialog.module.css'
import { usePlayedSteps } from './use-played-steps.ts'
import type { Progress } from './use-submission.ts'

interface SubmissionDialogProps {
  progress: Progress
  answer: OrderSummary | null
  /** The slip was sent as several tickets. */
  batch: TicketBatch | null
  onBatchRead: () => void
  isMinimized: boolean
  onMinimize: () => void
  onRead: () => void
  onDismiss: () => void
  onSendAgain: () => void
  /** Sends the slip again at rates the member has just been shown. */
  onSendAtRates: (rates: readonly RateChange[]) => void
  /** Takes numbers off the slip that the house has closed. */
  onRemoveClosed: (lines: readonly SlipLine[]) => void
  /** A word of the member has changed the ticket that is shown. */
  onChanged: (order: Order) => void
  /** The dialog has gone. `isLost`: nothing has the focus. */
  onHidden: (isLost: boolean) => void
}

const { BatchTickets, PartialReceipt, PushOffer, Receipt, ReceiptSend } = lazyChunks

/** The way of a ticket: its steps while it is on its way, then the answer, which stays until it is read. */
export function SubmissionDialog(props: SubmissionDialogProps) {
  const { progress, answer, batch, onBatchRead, isMinimized, onMinimize, onRead, onDismiss, onChanged, onHidden } =
    props
  const t = useTranslations('bet.submission')
  const isBatchOver = batch !== null && batch.waiting.length === 0
  const isHidden =
    batch === null ? answer === null && (progress.kind === 'idle' || isMinimized) : !isBatchOver && isMinimized
  const turn = usePlayedSteps(
    isHidden || batch !== null ? null : stepUnderWay(progress),
    batch === null ? countDecided(progress, answer) : 0,
  )
  const isUnderWay = !isBatchOver && (turn !== null || (answer === null && progress.kind === 'sending'))
  const spokenTicket = useSpokenState(turn === null ? progress : null, turn === null ? answer : null)
  const batchTitle = useBatchTitle(batch)
  const onClose = isBatchOver ? onBatchRead : answer !== null ? onRead : isResolving(progress) ? onMinimize : onDismiss
  const title =
    turn !== null ? 'sending.title' : answer !== null ? titleOf(answer) : (`${progress.kind}.title` as const)
  const content = useRef<HTMLDivElement>(null)
  const wasHidden = useRef(isHidden)
  useEffect(() => {
    const isLost = document.activeElement === document.body
    // The focused element may have been removed, so the focus returns to the dialog.
    if (!isHidden && isLost) content.current?.focus()
    // The button that opened the dialog was off meanwhile: it may not have been given the focus back.
    if (isHidden && !wasHidden.current) onHidden(isLost)
    wasHidden.current = isHidden
  })
  const isReceiptWhole = batch === null && turn === null && answer?.status === 'CONFIRMED' && isKnownWhole(answer)
  useNextNumber(isReceiptWhole ? onRead : null)
  return (
    <DialogSheet
      isOpen={!isHidden}
      dismissible={isUnderWay ? 'never' : 'explicitly'}
      leavesInSight={isReceiptWhole ? '[data-keys] button' : undefined}
      onClose={onClose}
      title={batchTitle ?? t(title)}
    >
      <div ref={content} tabIndex={-1} className={classes.stack}>
        {turn !== null && <StepList marks={marksOfTurn(turn)} />}
        {batch !== null && (
          <LatePart fallback={<Skeleton count={batch.waiting.length + batch.outcomes.length} height={60} />}>
            <BatchTickets batch={batch} progress={progress} onMinimize={onMinimize} onRead={onBatchRead} />
          </LatePart>
        )}
        {batch === null && turn === null && answer !== null && (
          <PlacedTicket key={answer.order_id} answer={answer} onRead={onRead} onChanged={onChanged} />
        )}
        {batch === null && turn === null && answer === null && progress.kind !== 'idle' && (
          <SubmissionProgress {...props} progress={progress} />
        )}
        {/* The page's own announcer is silent behind a dialog. */}
        <output className="visually-hidden" data-testid="submission-status">
          {batchTitle ?? spokenTicket}
        </output>
      </div>
    </DialogSheet>
  )
}

/** Where the items are not known, as after a reload, the receipt stays until it is closed. */
function isKnownWhole({ order_id }: OrderSummary): boolean {
  const order = queryClient.getQueryData<Order>(queryKeys.orders.one(String(order_id)))
  return order !== undefined && isTakenWhole(order)
}

/** A digit closes the receipt and is typed into the field that has the focus then: the next number. */
function useNextNumber(close: (() => void) | null): void {
  const onDigit = useEffectEvent((event: KeyboardEvent) => {
    if (close !== null && /^\d$/.test(event.key) && !event.ctrlKey && !event.altKey && !event.metaKey) flushSync(close)
  })
  const isOn = close !== null
  useEffect(() => {
    if (!isOn) return undefined
    window.addEventListener('keydown', onDigit)
    return () => window.removeEventListener('keydown', onDigit)
  }, [isOn])
}

/** How far a batch is; null where there is none. */
function useBatchTitle(batch: TicketBatch | null): string | null {
  const t = useTranslations('bet.submission.batch')
  if (batch === null) return null
  const { waiting, outcomes } = batch
  const count = waiting.length + outcomes.length
  if (waiting.length > 0) return t('sending', { at: outcomes.length + 1, count })
  const placed = outcomes.filter(({ answer }) => answer !== null).length
  return placed === count ? t('done', { count }) : t('some', { placed, count })
}

function titleOf({ status }: OrderSummary): 'placed.partial_title' | 'placed.ended_title' | 'placed.title' {
  if (status === 'WAIT_CONFIRM') return 'placed.partial_title'
  return hasEnded(status) ? 'placed.ended_title' : 'placed.title'
}

function hasEnded(status: OrderSummary['status']): boolean {
  return status === 'CANCELLED' || status === 'DELETED'
}

/**
 * Where the ticket stands once its steps rest, as one sentence. The steps themselves change too fast to be read out, and
 * alerts read out themselves.
 */
function useSpokenState(progress: Progress | null, answer: OrderSummary | null): string {
  const t = useTranslations('bet.submission')
  const stepSentence = useStepSentence()
  if (answer !== null) {
    if (hasEnded(answer.status)) return t(titleOf(answer))
    const number = `${t('placed.number')} ${answer.order_id}`
    const net = `${t('placed.net')} ${formatBaht(answer.net_satang)}`
    return `${stepSentence(marksOfTicket(answer))}. ${t(titleOf(answer))}. ${number}. ${net}`
  }
  if (progress === null || progress.kind === 'idle' || progress.kind === 'sending') return ''
  if (isResolving(progress)) return `${t(`${progress.kind}.title`)}. ${t(`${progress.kind}.text`)}`
  const steps = stepSentence(marksOfProgress(progress))
  return progress.kind === 'absent' ? `${steps}. ${t('absent.text')}. ${t('absent.money')}` : steps
}

interface SubmissionProgressProps extends SubmissionDialogProps {
  progress: Exclude<Progress, { kind: 'idle' }>
}

function SubmissionProgress({
  progress,
  onMinimize,
  onDismiss,
  onSendAgain,
  onSendAtRates,
  onRemoveClosed,
}: SubmissionProgressProps) {
  const t = useTranslations('bet.submission')
  const isOver = progress.kind === 'refused' || progress.kind === 'absent' || progress.kind === 'no_room'
  // Going back is secondary if there is a better action.
  const remedy = progress.kind === 'refused' ? (progress.remedy?.kind ?? null) : null
  const isSecond = progress.kind === 'absent' || remedy === 'rates' || remedy === 'numbers'
  return (
    <>
      <StepList marks={marksOfProgress(progress)} />
      {isResolving(progress) && (
        <>
          <Alert kind="warn">{t(`${progress.kind}.text`)}</Alert>
          <Button isWide variant="default" onClick={onMinimize}>
            {t('aside')}
          </Button>
        </>
      )}
      {progress.kind === 'refused' && (
        <RefusedTicket refused={progress} onSendAtRates={onSendAtRates} onRemoveClosed={onRemoveClosed} />
      )}
      {progress.kind === 'absent' && (
        <>
          <Alert kind="warn" title={t('absent.text')}>
            {t('absent.money')}
          </Alert>
          <Button isWide onClick={onSendAgain}>
            {t('send_again')}
          </Button>
        </>
      )}
      {progress.kind === 'no_room' && (
        <Alert kind="bad" title={t('no_room.text')}>
          {t('no_room.money')}
        </Alert>
      )}
      {isOver && (
        <Button isWide variant={isSecond ? 'default' : 'filled'} onClick={onDismiss}>
          {t('back_to_slip')}
        </Button>
      )}
    </>
  )
}

interface PlacedTicketProps {
  answer: OrderSummary
  onRead: () => void
  onChanged: (order: Order) => void
}

function PlacedTicket({ answer, onRead, onChanged }: PlacedTicketProps) {
  // Once decided, the ticket stays in sight as it is then.
  const [wasPartial] = useState(answer.status === 'WAIT_CONFIRM')
  const t = useTranslations('bet.submission.placed')
  const { order_id } = answer
  const summary = <PlacedSummary answer={answer} />
  const toBill = (
    <Link to="/bills/$order_id" params={{ order_id: String(order_id) }} className={classes.link} onClick={onRead}>
      {t('see')}
    </Link>
  )
  const isTaken = answer.status === 'CONFIRMED'
  return (
    <>
      {answer.status === 'WAIT_CONFIRM' && summary}
      {wasPartial && (
        <LatePart fallback={<Skeleton count={3} height={60} />} failed={toBill}>
          <PartialReceipt order_id={order_id} onChanged={onChanged} onLater={onRead} />
        </LatePart>
      )}
      {answer.status !== 'WAIT_CONFIRM' && (
        <>
          {isTaken && <StepList marks={marksOfTicket(answer)} isInOneLine />}
          <LatePart fallback={summary}>
            <Receipt order_id={order_id} summary={summary} />
          </LatePart>
          <LatePart>{isTaken && <PushOffer />}</LatePart>
          <div className={classes.buttons}>
            {toBill}
            <LatePart>{isTaken && <ReceiptSend order_id={order_id} />}</LatePart>
            <Button onClick={onRead}>{t('done')}</Button>
          </div>
        </>
      )}
    </>
  )
}

/** What is known of a placed ticket before its numbers are at hand. */
function PlacedSummary({ answer }: { answer: OrderSummary }) {
  const t = useTranslations('bet.submission.placed')
  return (
    <p className={classes.id}>
      <span>
        {t('number')} <strong data-testid="order-id">{answer.order_id}</strong>
      </span>
      <span>
        {t('net')} <strong className="number">{formatBaht(answer.net_satang)}</strong>
      </span>
    </p>
  )
}

interface LatePartProps {
  fallback?: ReactNode
  /** Shown where the part cannot be loaded; `fallback` by default. */
  failed?: ReactNode
  children: ReactNode
}

/** A part whose chunk may be missing after an outage: the answer to a ticket is shown without it. */
function LatePart({ fallback = null, failed = fallback, children }: LatePartProps) {
  return (
    <CatchBoundary getResetKey={() => 'part'} errorComponent={() => failed}>
      <Suspense fallback={fallback}>{children}</Suspense>
    </CatchBoundary>
  )
}
