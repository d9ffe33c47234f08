import type { Payment } from '@megalot/contract'
import { useQuery } from '@tanstack/react-query'
import { useTranslations } from 'use-intl'
import { useChange } from '../../../lib/api/use-change.ts'
import { serverNowMs } from '../../../lib/clock/server-clock.ts'
import { toRefusal } from '../../../lib/errors/refusal.ts'
import { showToast } from '../../../lib/feedback/toast.ts'
import { dayInBangkok } from '../../../lib/format/dates.ts'
import { formatBaht } from '../../../lib/format/money.ts'
import { useRequestId } from '../../../lib/forms/use-request-id.ts'
import { useUser } from '../../../lib/user/user-query.ts'
import { DialogSheet } from '../../../ui/dialog-sheet.tsx'
import { EmptyNote, QueryView, Skeleton } from '../../../ui/query-view.tsx'
import { ReasonForm } from '../../../ui/reason-form.tsx'
import { propose } from '../../changes/queries.ts'
import { newestPaymentsQuery, sendReversal } from './queries.ts'

/** Payments, adjustments and reversals by their words. */
export function usePaymentWords(): (payment: Payment) => string {
  const t = useTranslations('sheet.person')
  return ({ kind, amount_satang, reverses_id }) => {
    if (reverses_id !== null) return t('reversal')
    if (kind === 'adjustment') return t('adjustment')
    return t(amount_satang > 0 ? 'received' : 'paid')
  }
}

/** Whether a payment can be reversed at all. */
export const isReversible = ({ reverses_id, reversed_by_id }: Payment): boolean =>
  reverses_id === null && reversed_by_id === null

interface ReverseSheetProps {
  payment: Payment | null
  onClose: () => void
}

/** Takes a payment back by a reversal; one of another day or person by two people. */
export function ReverseSheet({ payment, onClose }: ReverseSheetProps) {
  const t = useTranslations('sheet.reverse')
  return (
    <DialogSheet
      isOpen={payment !== null}
      onClose={onClose}
      title={payment === null ? '' : t('title', { number: payment.number })}
      dismissible="explicitly"
    >
      {payment !== null && <ReverseForm payment={payment} onDone={onClose} />}
    </DialogSheet>
  )
}

/** The last payment that the caller has recorded today, to be taken back. */
export function ReverseLastSheet({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  const t = useTranslations('sheet.reverse')
  const query = useQuery({ ...newestPaymentsQuery, enabled: isOpen, staleTime: 0 })
  const { username } = useUser()
  const today = dayInBangkok(serverNowMs())
  const last = query.data?.find(
    (payment) =>
      isReversible(payment) &&
      payment.recorded_by === username &&
      dayInBangkok(Date.parse(payment.recorded_at)) === today,
  )
  return (
    <DialogSheet
      isOpen={isOpen}
      onClose={onClose}
      title={last === undefined ? t('button') : t('title', { number: last.number })}
      dismissible="explicitly"
    >
      <QueryView query={query} skeleton={<Skeleton count={3} height={44} />}>
        {() => (last === undefined ? <EmptyNote title={t('none')} /> : <ReverseForm payment={last} onDone={onClose} />)}
      </QueryView>
    </DialogSheet>
  )
}

function ReverseForm({ payment, onDone }: { payment: Payment; onDone: () => void }) {
  const t = useTranslations('sheet.reverse')
  const ofTwo = useTranslations('sheet.propose')
  const nameOf = usePaymentWords()
  const { payment_id, child, amount_satang } = payment
  const reversal = useChange(useRequestId(sendReversal))
  const proposal = useChange(useRequestId(propose))
  const needsTwo = reversal.error !== null && toRefusal(reversal.error).code === 'approval_needed'
  const send = async (reason: string): Promise<void> => {
    const made = needsTwo
      ? await proposal.run({ kind: 'reverse_payment', payload: { payment_id }, reason })
      : await reversal.run({ payment_id, reason })
    if (made === null) return
    showToast('good', needsTwo ? ofTwo('done') : t('done'))
    onDone()
  }
  return (
    <ReasonForm
      action={needsTwo ? ofTwo('send') : t('confirm')}
      isBusy={reversal.isBusy || proposal.isBusy}
      failure={needsTwo ? (proposal.failure ?? t('two')) : reversal.failure}
      onSend={(reason) => void send(reason)}
    >
      <p>{t('text', { what: nameOf(payment), amount: formatBaht(Math.abs(amount_satang)), name: child.username })}</p>
    </ReasonForm>
  )
}
