import type { Payment } from '@megalot/contract'
import { receiptNumber } from '@megalot/contract/browser'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useLocale, useTranslations } from 'use-intl'
import { useChange } from '../../../lib/api/use-change.ts'
import { showToast } from '../../../lib/feedback/toast.ts'
import { formatDay, formatInstant } from '../../../lib/format/dates.ts'
import { formatSignedBaht } from '../../../lib/format/money.ts'
import { useForm } from '../../../lib/forms/use-form.ts'
import { useUser } from '../../../lib/user/user-query.ts'
import { sendDispute, slipQuery } from '../../../shared/payments/queries.ts'
import { Alert } from '../../../ui/alert.tsx'
import { Button } from '../../../ui/button.tsx'
import { DialogSheet } from '../../../ui/dialog-sheet.tsx'
import { Facts, Hint, Row, Stack } from '../../../ui/layout.tsx'
import { QueryView, Skeleton } from '../../../ui/query-view.tsx'
import { TextInput } from '../../../ui/text-input.tsx'
import { permissionsOf } from '../../menu.ts'
import { Balance, useMethodWords } from '../balance.tsx'
import { paymentQuery } from '../sheet/queries.ts'
import { Receipt } from '../sheet/receipt.tsx'
import { isReversible, ReverseSheet } from '../sheet/reverse-sheet.tsx'
import { forReader, useKindWord } from './payment-words.ts'
import { sendAnswer } from './queries.ts'
import classes from './history.module.css'

interface PaymentDetailProps {
  /** Null: closed. */
  payment_id: number | null
  /** The reader is the child. */
  isAbove: boolean
  onClose: () => void
}

/** One payment: its facts, its slip, its dispute, and its reversal. */
export function PaymentDetail({ payment_id, isAbove, onClose }: PaymentDetailProps) {
  return payment_id === null ? null : (
    <OpenDetail key={payment_id} payment_id={payment_id} isAbove={isAbove} onClose={onClose} />
  )
}

function OpenDetail({ payment_id, isAbove, onClose }: { payment_id: number } & Omit<PaymentDetailProps, 'payment_id'>) {
  const t = useTranslations('history.detail')
  const query = useQuery(paymentQuery(payment_id))
  const [reversed, setReversed] = useState<Payment | null>(null)
  const [isReceiptOpen, setIsReceiptOpen] = useState(false)
  const number = query.data?.number ?? ''
  return (
    <>
      <DialogSheet isOpen={reversed === null && !isReceiptOpen} onClose={onClose} title={t('title', { number })}>
        <QueryView query={query} skeleton={<Skeleton count={5} height={44} />}>
          {(payment) => (
            <Detail
              payment={payment}
              isAbove={isAbove}
              onReverse={() => setReversed(payment)}
              onReceipt={() => setIsReceiptOpen(true)}
            />
          )}
        </QueryView>
      </DialogSheet>
      <ReverseSheet payment={reversed} onClose={() => setReversed(null)} />
      <DialogSheet
        isOpen={isReceiptOpen}
        onClose={() => setIsReceiptOpen(false)}
        title={t('receipt_title', { number })}
      >
        <Receipt payment_id={payment_id} onClose={() => setIsReceiptOpen(false)} />
      </DialogSheet>
    </>
  )
}

interface DetailProps {
  payment: Payment
  isAbove: boolean
  onReverse: () => void
  onReceipt: () => void
}

function Detail({ payment, isAbove, onReverse, onReceipt }: DetailProps) {
  const t = useTranslations('history')
  const language = useLocale()
  const methods = useMethodWords()
  const kindOf = useKindWord(isAbove)
  const mayDo = permissionsOf(useUser()).has('money.do')
  const mayChange = mayDo && !isAbove
  const [isDisputing, setDisputing] = useState(false)
  // As on the other side, what is taken back is no longer disputed.
  const mayDispute = mayDo && isAbove && payment.dispute === null && isReversible(payment)
  const { child, method, note, reverses_id, reversed_by_id, recorded_by, holder } = payment
  const facts = [
    ...(isAbove ? [] : ([[t('column.child'), `${child.username} · ${child.display_name}`]] as const)),
    [t('column.kind'), kindOf(payment)],
    [t('column.amount'), <strong key="amount">{formatSignedBaht(forReader(payment, isAbove))}</strong>],
    [t('column.after'), <Balance key="after" satang={payment.balance_after_satang} isAbove={isAbove} />],
    ...(method === null ? [] : ([[t('column.method'), methods[method]]] as const)),
    [t('column.day'), formatDay(payment.day, language)],
    ...(note === null ? [] : ([[t('column.note'), note]] as const)),
    // A child is not told who.
    ...(isAbove ? [] : ([[t('column.by'), recorded_by ?? t('detail.office')]] as const)),
    ...(isAbove || holder === recorded_by || method !== 'cash'
      ? []
      : ([[t('column.holder'), holder ?? t('detail.office')]] as const)),
    [t('column.at'), formatInstant(payment.recorded_at, language, 'dayAndTime')],
    ...(reverses_id === null
      ? []
      : ([[t('column.state'), t('detail.reverses', { number: receiptNumber(reverses_id) })]] as const)),
    ...(reversed_by_id === null
      ? []
      : ([[t('column.state'), t('detail.reversed_by', { number: receiptNumber(reversed_by_id) })]] as const)),
  ] as const
  return (
    <Stack gap={12}>
      <Facts inLines facts={facts} tabular />
      {payment.has_slip && <Slip payment={payment} />}
      {payment.dispute !== null && <Dispute payment={payment} isAbove={isAbove} mayAnswer={mayChange} />}
      <Row gap={8}>
        {payment.kind === 'payment' && (
          <Button variant="default" onClick={onReceipt}>
            {t('detail.receipt')}
          </Button>
        )}
        {mayChange && isReversible(payment) && (
          <Button variant="default" tone="bad" onClick={onReverse}>
            {t('detail.reverse')}
          </Button>
        )}
        {mayDispute && !isDisputing && (
          <Button variant="default" onClick={() => setDisputing(true)}>
            {t('dispute.own.button')}
          </Button>
        )}
      </Row>
      {mayDispute && isDisputing && <DisputeForm payment_id={payment.payment_id} />}
    </Stack>
  )
}

function Slip({ payment: { payment_id, number } }: { payment: Payment }) {
  const t = useTranslations('history.detail')
  const query = useQuery(slipQuery(payment_id))
  return (
    <QueryView query={query} skeleton={<Skeleton count={1} height={320} />}>
      {(slip) =>
        slip !== null && (
          <img
            className={classes.slip}
            src={`data:${slip.content_type};base64,${slip.image}`}
            alt={t('slip_alt', { number })}
          />
        )
      }
    </QueryView>
  )
}

interface DisputeProps {
  payment: Payment
  isAbove: boolean
  mayAnswer: boolean
}

function Dispute({ payment: { payment_id, dispute }, isAbove, mayAnswer }: DisputeProps) {
  const t = useTranslations('history.dispute')
  const language = useLocale()
  if (dispute === null) return null
  const { note, raised_at, answer, answered_at } = dispute
  return (
    <>
      <Alert kind={answer === null ? 'warn' : 'plain'} title={t(isAbove ? 'own_title' : 'title')}>
        <p>“{note}”</p>
        <p>{formatInstant(raised_at, language, 'dayAndTime')}</p>
        {answer !== null && (
          <p>
            <strong>{t('answer')}</strong> “{answer}”{' '}
            {answered_at !== null && t('answered', { time: formatInstant(answered_at, language, 'dayAndTime') })}
          </p>
        )}
      </Alert>
      {answer === null && mayAnswer && <AnswerForm payment_id={payment_id} />}
    </>
  )
}

function AnswerForm({ payment_id }: { payment_id: number }) {
  const t = useTranslations('history.dispute')
  const { isBusy, failure, run } = useChange(sendAnswer)
  return (
    <WordForm
      words={{ field: t('field'), problem: t('problem'), hint: t('hint'), send: t('send') }}
      isBusy={isBusy}
      failure={failure}
      onSend={async (answer) => {
        if (await run({ payment_id, answer })) showToast('good', t('sent'))
      }}
    />
  )
}

function DisputeForm({ payment_id }: { payment_id: number }) {
  const t = useTranslations('history.dispute.own')
  const { isBusy, failure, run } = useChange(sendDispute)
  return (
    <WordForm
      words={{ field: t('field'), problem: t('problem'), hint: t('hint'), send: t('send') }}
      isBusy={isBusy}
      failure={failure}
      onSend={async (note) => {
        if (await run({ payment_id, note })) showToast('good', t('sent'))
      }}
    />
  )
}

interface WordFormProps {
  words: Readonly<Record<'field' | 'problem' | 'hint' | 'send', string>>
  isBusy: boolean
  failure: string | null
  onSend: (word: string) => Promise<void>
}

/** One sentence to the other side of a payment. */
function WordForm({ words, isBusy, failure, onSend }: WordFormProps) {
  const form = useForm({
    initial: { word: '' },
    check: ({ word }) => ({ word: word.trim() === '' ? words.problem : null }),
    send: ({ word }) => onSend(word.trim()),
  })
  return (
    <Stack as="form" noValidate gap={8} onSubmit={form.submit}>
      <TextInput {...form.propsOf('word')} label={words.field} maxLength={200} autoComplete="off" />
      <Hint>{words.hint}</Hint>
      {failure !== null && <Alert kind="bad">{failure}</Alert>}
      <Row>
        <Button type="submit" isBusy={isBusy}>
          {words.send}
        </Button>
      </Row>
    </Stack>
  )
}
