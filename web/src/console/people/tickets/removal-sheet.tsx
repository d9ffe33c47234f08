import type { OrderSummary } from '@megalot/contract'
import { useTranslations } from 'use-intl'
import { makeChange } from '../../../lib/api/use-change.ts'
import { useSend } from '../../../lib/forms/use-send.ts'
import { useRequestId } from '../../../lib/forms/use-request-id.ts'
import { formatBaht } from '../../../lib/format/money.ts'
import { useServerTime } from '../../../lib/clock/server-clock.ts'
import { showToast } from '../../../lib/feedback/toast.ts'
import { DialogSheet } from '../../../ui/dialog-sheet.tsx'
import { Text } from '../../../ui/layout.tsx'
import { propose } from '../../changes/queries.ts'
import { ReasonForm } from '../../../ui/reason-form.tsx'
import { deleteTicket } from './queries.ts'

interface RemovalSheetProps {
  /** The ticket that is about to be deleted or voided. */
  order: OrderSummary | null
  onClose: () => void
}

/** Asks for the reason, and deletes the ticket or proposes its void. */
export function RemovalSheet({ order, onClose }: RemovalSheetProps) {
  return order === null ? (
    <DialogSheet isOpen={false} onClose={onClose} title="">
      {null}
    </DialogSheet>
  ) : (
    <OpenSheet order={order} onClose={onClose} />
  )
}

function OpenSheet({ order, onClose }: { order: OrderSummary; onClose: () => void }) {
  const t = useTranslations('tickets')
  const isClosed = useIsClosed(order)
  const order_id = String(order.order_id)
  return (
    <DialogSheet isOpen onClose={onClose} title={t(isClosed ? 'void_sheet' : 'sheet', { order_id })}>
      <RemovalForm order={order} isClosed={isClosed} onDone={onClose} />
    </DialogSheet>
  )
}

/** Until the close a ticket is deleted, by any upline; after it, voided, by two of the office. */
export function useIsClosed({ period }: OrderSummary): boolean {
  const closeMs = Date.parse(period.close_at)
  return useServerTime((nowMs) => period.status !== 'open' || nowMs >= closeMs)
}

interface RemovalFormProps {
  order: OrderSummary
  isClosed: boolean
  onDone: () => void
}

function RemovalForm({ order, isClosed, onDone }: RemovalFormProps) {
  const t = useTranslations('tickets')
  const { order_id } = order
  const proposal = useRequestId(propose)
  const remove = async (reason: string): Promise<void> => {
    if (isClosed) await makeChange(proposal, { kind: 'void_order', payload: { order_id }, reason })
    else await makeChange(deleteTicket, { order_id, reason })
    showToast(
      isClosed ? 'plain' : 'good',
      t(isClosed ? 'done.requested' : 'done.deleted', { order_id: String(order_id) }),
    )
    onDone()
  }
  const { isBusy, failure, run } = useSend(remove)
  return (
    <>
      <p>{t('whose', { username: order.username, amount: formatBaht(order.net_satang) })}</p>
      <Text tone="dim">{isClosed ? t('void_hint') : t('delete_hint')}</Text>
      <ReasonForm
        action={isClosed ? t('void') : t('delete')}
        isBusy={isBusy}
        failure={failure}
        onSend={(reason) => void run(reason)}
      />
    </>
  )
}
