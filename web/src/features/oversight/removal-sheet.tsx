import type { OrderSummary, VoidRequest } from '@megalot/contract'
import { useTranslations } from 'use-intl'
import { useAction } from '../../lib/forms/use-action.ts'
import { formatBaht } from '../../lib/format/money.ts'
import { useServerTime } from '../../lib/clock/server-clock.ts'
import { showToast } from '../../lib/feedback/toast.ts'
import { DialogSheet } from '../../ui/dialog-sheet.tsx'
import classes from './oversight.module.css'
import { deleteTicket, voidTicket } from './queries.ts'
import { ReasonForm } from './reason-form.tsx'
import { VoidRequestNote } from './void-request-note.tsx'

/** A ticket that is about to be deleted or voided. */
export interface Removal {
  order: OrderSummary
  /** What a first one of the office has said, where this is the second. */
  request?: VoidRequest
}

/** Asks for the reason, and deletes or voids the ticket. */
export function RemovalSheet({ chosen, onClose }: { chosen: Removal | null; onClose: () => void }) {
  return chosen === null ? (
    <DialogSheet isOpen={false} onClose={onClose} title="">
      {null}
    </DialogSheet>
  ) : (
    <OpenSheet {...chosen} onClose={onClose} />
  )
}

function OpenSheet({ onClose, ...removal }: Removal & { onClose: () => void }) {
  const t = useTranslations('oversight.bills')
  const isClosed = useIsClosed(removal.order)
  const order_id = String(removal.order.order_id)
  return (
    <DialogSheet isOpen onClose={onClose} title={t(isClosed ? 'void_sheet' : 'sheet', { order_id })}>
      <RemovalForm {...removal} isClosed={isClosed} onDone={onClose} />
    </DialogSheet>
  )
}

/** Until the close a ticket is deleted, by any upline; after it, voided, by two of the office. */
export function useIsClosed({ period }: OrderSummary): boolean {
  const closeMs = Date.parse(period.close_at)
  return useServerTime((nowMs) => period.status !== 'open' || nowMs >= closeMs)
}

function RemovalForm({ order, request, isClosed, onDone }: Removal & { isClosed: boolean; onDone: () => void }) {
  const t = useTranslations('oversight.bills')
  const { order_id } = order
  const { isBusy, failure, run } = useAction()
  const remove = async (reason: string): Promise<void> => {
    const state = isClosed ? (await voidTicket(order_id, reason, request?.void_request_id)).state : 'deleted'
    if (!isClosed) await deleteTicket(order_id, reason)
    showToast(state === 'requested' ? 'plain' : 'good', t(`done.${state}`, { order_id: String(order_id) }))
    onDone()
  }
  return (
    <>
      <p>{t('whose', { username: order.username, amount: formatBaht(order.net_satang) })}</p>
      {request !== undefined && <VoidRequestNote request={request} />}
      <p className={classes.dim}>{isClosed ? t('void_hint') : t('delete_hint')}</p>
      <ReasonForm
        action={isClosed ? t(request === undefined ? 'void' : 'requests.approve') : t('delete')}
        isBusy={isBusy}
        failure={failure}
        onSend={(reason) => void run(() => remove(reason))}
      />
    </>
  )
}
