import type { ClearingTerms, DataOf, Payment, PersonProfile, Rows } from '@megalot/contract'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useLocale, useTranslations } from 'use-intl'
import { useChange } from '../../../lib/api/use-change.ts'
import { toRefusal } from '../../../lib/errors/refusal.ts'
import { showToast } from '../../../lib/feedback/toast.ts'
import { formatDay, formatInstant } from '../../../lib/format/dates.ts'
import { formatBaht, formatSignedBaht } from '../../../lib/format/money.ts'
import { useReasonCheck } from '../../../lib/forms/reason.ts'
import { useForm } from '../../../lib/forms/use-form.ts'
import { useRequestId } from '../../../lib/forms/use-request-id.ts'
import { Alert } from '../../../ui/alert.tsx'
import { Button } from '../../../ui/button.tsx'
import { DialogSheet } from '../../../ui/dialog-sheet.tsx'
import { Facts, Heading, Hint, Row, Stack } from '../../../ui/layout.tsx'
import { EmptyNote, QueryView, Skeleton } from '../../../ui/query-view.tsx'
import { ReasonField } from '../../../ui/reason-field.tsx'
import { SegmentedControl } from '../../../ui/segmented-control.tsx'
import tables from '../../../ui/table.module.css'
import { TextInput } from '../../../ui/text-input.tsx'
import { WideTable } from '../../../ui/wide-table.tsx'
import { Becomes } from '../../changes/becomes.tsx'
import { propose } from '../../changes/queries.ts'
import { readBaht, writeBaht } from '../../people/amounts.ts'
import { Balance, useMethodWords } from '../balance.tsx'
import { edgeQuery, lastPaymentsQuery, sendAdjustment, sendEdgeTerms } from './queries.ts'
import { Receipt } from './receipt.tsx'
import { isReversible, ReverseSheet, usePaymentWords } from './reverse-sheet.tsx'
import classes from './sheet.module.css'

type Edge = DataOf<Rows['getEdge']>

/** What a user and its parent owe each other, when it is due, and the last payments. */
export function ProfileMoney({ profile: { user_id } }: { profile: PersonProfile }) {
  const query = useQuery(edgeQuery(user_id))
  return (
    <QueryView query={query} skeleton={<Skeleton count={4} height={60} />}>
      {(edge) => <EdgeMoney edge={edge} />}
    </QueryView>
  )
}

function EdgeMoney({ edge }: { edge: Edge }) {
  const t = useTranslations('sheet')
  const ofMoney = useTranslations('money.clearing')
  const [open, setOpen] = useState<'terms' | 'adjust' | null>(null)
  const { balance_satang, forward_satang, week_satang, received_satang, paid_satang, open_satang } = edge
  const close = (): void => setOpen(null)
  return (
    <>
      <Facts
        aria-label={t('person.label')}
        facts={[
          [t('column.balance'), <Balance key="balance" satang={balance_satang} />],
          [t('column.forward'), formatSignedBaht(forward_satang)],
          [t('column.week'), formatSignedBaht(week_satang)],
          [t('sum.received'), formatBaht(received_satang)],
          [t('sum.paid'), formatBaht(paid_satang)],
          [t('person.open'), formatBaht(open_satang)],
          ...(edge.level === 'member' ? ([[t('person.won'), formatBaht(edge.won_satang)]] as const) : []),
          [
            t('person.figure'),
            edge.settle_figure_satang === null ? t('person.figure_none') : formatBaht(edge.settle_figure_satang),
          ],
          [t('person.clearing'), ofMoney(edge.clearing)],
        ]}
      />
      {edge.can_record && (
        <Row gap={8} align="center">
          <Button variant="default" onClick={() => setOpen('terms')}>
            {t('person.terms')}
          </Button>
          <Button variant="default" onClick={() => setOpen('adjust')}>
            {t('person.adjust')}
          </Button>
        </Row>
      )}
      <Heading>{t('person.payments')}</Heading>
      <LastPayments edge={edge} />
      <DialogSheet isOpen={open === 'terms'} onClose={close} title={t('person.terms')}>
        <TermsForm edge={edge} onDone={close} />
      </DialogSheet>
      <DialogSheet isOpen={open === 'adjust'} onClose={close} title={t('person.adjust')} dismissible="explicitly">
        <AdjustForm edge={edge} onDone={close} />
      </DialogSheet>
    </>
  )
}

const clearings = ['weekly', 'rolling', 'at_figure'] as const satisfies readonly ClearingTerms[]

function TermsForm({ edge, onDone }: { edge: Edge; onDone: () => void }) {
  const t = useTranslations('sheet.person')
  const ofMoney = useTranslations('money.clearing')
  const { isBusy, failure, run } = useChange(sendEdgeTerms)
  const { user_id, settle_figure_satang, clearing } = edge
  const form = useForm({
    initial: { figure: settle_figure_satang === null ? '' : writeBaht(settle_figure_satang), clearing },
    check: ({ figure, clearing: chosen }) => {
      if (figure.trim() === '') return { figure: chosen === 'at_figure' ? t('figure_needed') : null }
      return { figure: (readBaht(figure) ?? 0) > 0 ? null : t('figure_problem') }
    },
    send: async ({ figure, clearing: chosen }) => {
      const body = { settle_figure_satang: figure.trim() === '' ? null : readBaht(figure), clearing: chosen }
      if ((await run({ user_id, ...body })) === null) return
      showToast('good', t('terms_saved'))
      onDone()
    },
  })
  return (
    <Stack as="form" noValidate gap={12} onSubmit={form.submit}>
      <TextInput
        {...form.propsOf('figure')}
        label={t('figure')}
        description={t('figure_hint')}
        inputMode="decimal"
        autoComplete="off"
        maxLength={16}
      />
      <SegmentedControl
        label={t('clearing')}
        value={form.values.clearing}
        choices={clearings.map((value) => ({ value, label: ofMoney(value) }))}
        onChange={(value) => form.change({ clearing: value })}
      />
      {failure !== null && <Alert kind="bad">{failure}</Alert>}
      <Button type="submit" isBusy={isBusy}>
        {t('save_terms')}
      </Button>
    </Stack>
  )
}

function AdjustForm({ edge, onDone }: { edge: Edge; onDone: () => void }) {
  const t = useTranslations('sheet.person')
  const ofPay = useTranslations('sheet.pay')
  const ofTwo = useTranslations('sheet.propose')
  const checkReason = useReasonCheck()
  const adjustment = useChange(useRequestId(sendAdjustment))
  const proposal = useChange(useRequestId(propose))
  const needsTwo = adjustment.error !== null && toRefusal(adjustment.error).code === 'approval_needed'
  const { user_id, balance_satang } = edge
  const form = useForm({
    initial: { side: 'less' as 'less' | 'more', amount: '', reason: '' },
    check: ({ amount, reason }) => ({
      amount: (readBaht(amount) ?? 0) > 0 ? null : ofPay('problem'),
      reason: checkReason(reason),
    }),
    send: async ({ reason }) => {
      const payload = { user_id, amount_satang }
      const made = needsTwo
        ? await proposal.run({ kind: 'adjust_balance', payload, reason: reason.trim() })
        : await adjustment.run({ ...payload, reason: reason.trim() })
      if (made === null) return
      showToast('good', needsTwo ? ofTwo('done') : t('adjusted'))
      onDone()
    },
  })
  const amount_satang = (form.values.side === 'less' ? 1 : -1) * (readBaht(form.values.amount) ?? 0)
  const failure = needsTwo ? (proposal.failure ?? adjustment.failure) : adjustment.failure
  return (
    <Stack as="form" noValidate gap={12} onSubmit={form.submit}>
      <Hint>{t('adjust_hint')}</Hint>
      <SegmentedControl
        label={t('adjust_side')}
        value={form.values.side}
        choices={(['less', 'more'] as const).map((value) => ({ value, label: t(`adjust_${value}`) }))}
        onChange={(side) => form.change({ side })}
      />
      <TextInput
        {...form.propsOf('amount')}
        label={ofPay('amount')}
        inputMode="decimal"
        autoComplete="off"
        maxLength={16}
      />
      <ReasonField {...form.propsOf('reason')} />
      <div className={classes.effect}>
        <div>
          <Balance satang={balance_satang} />
          <Becomes />
          <Balance satang={balance_satang - amount_satang} />
        </div>
      </div>
      {failure !== null && <Alert kind={needsTwo && proposal.failure === null ? 'warn' : 'bad'}>{failure}</Alert>}
      <Button type="submit" isBusy={adjustment.isBusy || proposal.isBusy}>
        {needsTwo ? ofTwo('send') : t('adjust')}
      </Button>
    </Stack>
  )
}

function LastPayments({ edge: { user_id, can_record } }: { edge: Edge }) {
  const t = useTranslations('sheet')
  const query = useQuery(lastPaymentsQuery(user_id))
  const [reversed, setReversed] = useState<Payment | null>(null)
  const [shown, setShown] = useState<Payment | null>(null)
  return (
    <QueryView query={query} skeleton={<Skeleton count={4} height={44} />}>
      {(payments) =>
        payments.length === 0 ? (
          <EmptyNote title={t('person.no_payments')} />
        ) : (
          <>
            <PaymentTable payments={payments} mayReverse={can_record} onShow={setShown} onReverse={setReversed} />
            <ReverseSheet payment={reversed} onClose={() => setReversed(null)} />
            <DialogSheet
              isOpen={shown !== null}
              onClose={() => setShown(null)}
              title={shown === null ? '' : t('person.receipt', { number: shown.number })}
            >
              {shown !== null && <Receipt payment_id={shown.payment_id} onClose={() => setShown(null)} />}
            </DialogSheet>
          </>
        )
      }
    </QueryView>
  )
}

interface PaymentTableProps {
  payments: readonly Payment[]
  mayReverse: boolean
  onShow: (payment: Payment) => void
  onReverse: (payment: Payment) => void
}

function PaymentTable({ payments, mayReverse, onShow, onReverse }: PaymentTableProps) {
  const t = useTranslations('sheet')
  const methods = useMethodWords()
  const nameOf = usePaymentWords()
  const language = useLocale()
  return (
    <WideTable label={t('person.payments')} isCard>
      <table className={tables.table}>
        <thead>
          <tr>
            <th scope="col">{t('person.what')}</th>
            <th scope="col" className={tables.figure}>
              {t('person.amount')}
            </th>
            <th scope="col" className={tables.figure}>
              {t('person.after')}
            </th>
            <th scope="col">
              <span className="visually-hidden">{t('reverse.button')}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {payments.map((payment) => (
            <tr key={payment.payment_id}>
              <td>
                <Button size="sm" variant="subtle" onClick={() => onShow(payment)}>
                  {payment.number}
                </Button>{' '}
                {nameOf(payment)}
                {payment.method !== null && ` · ${methods[payment.method]}`}
                {payment.reversed_by_id !== null && ` · ${t('person.reversed')}`}
                <Hint>
                  {formatDay(payment.day, language, 'shortDay')} ·{' '}
                  {formatInstant(payment.recorded_at, language, 'time')}
                  {payment.recorded_by !== null && ` · ${payment.recorded_by}`}
                  {payment.note !== null && ` · ${payment.note}`}
                </Hint>
              </td>
              <td className={tables.figure}>{formatSignedBaht(payment.amount_satang)}</td>
              <td className={tables.figure}>
                <Balance satang={payment.balance_after_satang} isStacked />
              </td>
              <td>
                {mayReverse && isReversible(payment) && (
                  <Button
                    size="sm"
                    variant="default"
                    aria-label={t('reverse.button_of', { number: payment.number })}
                    onClick={() => onReverse(payment)}
                  >
                    {t('reverse.button')}
                  </Button>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </WideTable>
  )
}
