import type { OrderSummary } from '@megalot/contract'
import { Link } from '@tanstack/react-router'
import { useTranslations } from 'use-intl'
import { Alert } from '../../../ui/alert.tsx'
import { Button } from '../../../ui/button.tsx'
import { OrderStatusChip } from '../../../ui/order-status-chip.tsx'
import { formatBaht } from '../../../lib/format/money.ts'
import type { NotPlaced } from '../ticket/kept-answers.ts'
import type { TicketBatch } from '../slip/ticket-batch.ts'
import classes from './batch-tickets.module.css'
import { isResolving } from './step-statuses.ts'
import type { Progress } from './use-submission.ts'

interface BatchTicketsProps {
  batch: TicketBatch
  progress: Progress
  onMinimize: () => void
  onRead: () => void
}

/** The tickets of one slip, each with its own answer. */
export function BatchTickets({ batch, progress, onMinimize, onRead }: BatchTicketsProps) {
  const t = useTranslations('bet.submission')
  const { outcomes, waiting } = batch
  const tickets = [
    ...outcomes,
    ...waiting.map(({ body }) => ({ item_count: body.items.length, answer: null, not_placed: null })),
  ]
  return (
    <>
      <ol className={classes.tickets}>
        {tickets.map(({ item_count, answer, not_placed }, index) => (
          <li key={index} className={classes.ticket} data-testid="batch-ticket">
            <span className={classes.name}>{t('batch.ticket', { at: index + 1, items: item_count })}</span>
            {answer !== null && <PlacedPart answer={answer} onRead={onRead} />}
            {not_placed !== null && <NotPlacedPart not_placed={not_placed} />}
            {answer === null && not_placed === null && (
              <span className={classes.note}>{t(index === outcomes.length ? 'batch.busy' : 'batch.waiting')}</span>
            )}
          </li>
        ))}
      </ol>
      {waiting.length > 0 && isResolving(progress) && (
        <>
          <Alert kind="warn">{t(`${progress.kind}.text`)}</Alert>
          <Button isWide variant="default" onClick={onMinimize}>
            {t('aside')}
          </Button>
        </>
      )}
      {waiting.length === 0 && (
        <>
          {outcomes.some(({ answer }) => answer === null) && <Alert kind="warn">{t('batch.kept')}</Alert>}
          <Button isWide onClick={onRead}>
            {t('placed.done')}
          </Button>
        </>
      )}
    </>
  )
}

function PlacedPart({ answer, onRead }: { answer: OrderSummary; onRead: () => void }) {
  const t = useTranslations('bet.submission.placed')
  return (
    <>
      <OrderStatusChip status={answer.status} />
      <Link to="/bills/$order_id" params={{ order_id: String(answer.order_id) }} onClick={onRead}>
        {t('number')} <strong>{answer.order_id}</strong>
      </Link>
      <span className="number">
        {t('net')} {formatBaht(answer.net_satang)}
      </span>
    </>
  )
}

function NotPlacedPart({ not_placed }: { not_placed: NotPlaced }) {
  const t = useTranslations('bet.submission')
  return (
    <span className={classes.failed}>
      {not_placed.kind === 'refused' ? not_placed.message : t(`${not_placed.kind}.text`)}
    </span>
  )
}
