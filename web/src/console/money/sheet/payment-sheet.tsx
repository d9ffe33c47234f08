import type { BulkResult, DataOf, PaymentMethod, Rows } from '@megalot/contract'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { useTranslations } from 'use-intl'
import { useChange } from '../../../lib/api/use-change.ts'
import { showToast } from '../../../lib/feedback/toast.ts'
import { formatBaht } from '../../../lib/format/money.ts'
import { useForm } from '../../../lib/forms/use-form.ts'
import { useRequestId } from '../../../lib/forms/use-request-id.ts'
import { Alert } from '../../../ui/alert.tsx'
import { Button } from '../../../ui/button.tsx'
import { DialogSheet } from '../../../ui/dialog-sheet.tsx'
import { Row, Stack } from '../../../ui/layout.tsx'
import { QueryView, Skeleton } from '../../../ui/query-view.tsx'
import { SegmentedControl } from '../../../ui/segmented-control.tsx'
import { TextInput } from '../../../ui/text-input.tsx'
import { Becomes } from '../../changes/becomes.tsx'
import { readBaht, writeBaht } from '../../people/amounts.ts'
import { Balance, paymentMethods, useMethodWords } from '../balance.tsx'
import { ProposePayments } from './payment-outcomes.tsx'
import { edgeQuery, type PaymentRow, sendPayments, sendSlip } from './queries.ts'
import { shrinkPhoto, type SlipPhoto } from './slip-photo.ts'
import classes from './sheet.module.css'
import type { DayOfPayment } from './use-sheet-drafts.ts'

type Edge = DataOf<Rows['getEdge']>
export type Direction = 'receive' | 'pay'

const Receipt = lazy(async () => ({ default: (await import('./receipt.tsx')).Receipt }))

interface PaymentSheetProps {
  user_id: number | null
  /** Absent: by the balance. */
  direction?: Direction | undefined
  onClose: () => void
}

/** One payment of a child, with everything that can be said of it, and its receipt afterwards. */
export function PaymentSheet({ user_id, direction, onClose }: PaymentSheetProps) {
  const query = useQuery({ ...edgeQuery(user_id ?? 0), enabled: user_id !== null })
  const [payment_id, setPaymentId] = useState<number | null>(null)
  const close = (): void => {
    setPaymentId(null)
    onClose()
  }
  const { username = '', display_name = '' } = query.data ?? {}
  const title = display_name === '' || display_name === username ? username : `${username} (${display_name})`
  return (
    <DialogSheet isOpen={user_id !== null} onClose={close} title={title} dismissible="explicitly">
      {user_id !== null && payment_id === null && (
        <QueryView query={query} skeleton={<Skeleton count={5} height={52} />}>
          {(edge) => (
            <PaymentForm
              key={edge.user_id}
              edge={edge}
              direction={direction ?? (edge.balance_satang < 0 ? 'pay' : 'receive')}
              onDone={setPaymentId}
              onProposed={close}
            />
          )}
        </QueryView>
      )}
      {payment_id !== null && (
        <Suspense fallback={<Skeleton count={1} height={420} />}>
          <Receipt payment_id={payment_id} onClose={close} />
        </Suspense>
      )}
    </DialogSheet>
  )
}

interface PaymentFormProps {
  edge: Edge
  direction: Direction
  onDone: (payment_id: number) => void
  onProposed: () => void
}

function PaymentForm({ edge, direction: first, onDone, onProposed }: PaymentFormProps) {
  const t = useTranslations('sheet.pay')
  const methods = useMethodWords()
  const { isBusy, failure, run } = useChange(useRequestId(sendPayments))
  const [refused, setRefused] = useState<{ row: PaymentRow; result: BulkResult } | null>(null)
  const slip = useSlip()
  const { user_id, username: name } = edge
  const form = useForm({
    initial: {
      direction: first,
      amount: writeBaht(fullOf(edge, first)),
      method: 'cash' as PaymentMethod,
      day: 'today' as DayOfPayment,
      note: '',
    },
    check: ({ amount }) => ({ amount: (readBaht(amount) ?? 0) > 0 ? null : t('problem') }),
    send: () => send(),
  })
  const { direction, amount, method, day, note } = form.values
  const satang = readBaht(amount) ?? 0
  const amount_satang = direction === 'receive' ? satang : -satang
  if (!edge.can_record) return <Alert kind="warn">{t('not_yours')}</Alert>
  const send = async (): Promise<void> => {
    const row: PaymentRow = {
      user_id,
      amount_satang,
      method,
      ...(day === 'yesterday' ? { day } : {}),
      ...(note.trim() === '' ? {} : { note: note.trim() }),
    }
    const made = await run({ rows: [row] })
    if (made === null) return
    const [outcome] = made.result.outcomes
    if (outcome?.code !== 'ok') return setRefused({ row, result: made.result })
    showToast('good', t(`done_${direction}`, { name }))
    const payment_id = Number(outcome.after['payment_id'])
    await slip.send(payment_id)
    onDone(payment_id)
  }
  if (refused !== null)
    return (
      <Stack gap={12}>
        {refused.result.messages.map(({ code, message }) => (
          <Alert key={code} kind="bad">
            {message}
          </Alert>
        ))}
        <ProposePayments rows={[refused.row]} result={refused.result} onDone={onProposed} />
      </Stack>
    )
  return (
    <Stack as="form" noValidate gap={12} onSubmit={form.submit}>
      <SegmentedControl
        label={t('direction')}
        fill
        value={direction}
        choices={(['receive', 'pay'] as const).map((value) => ({ value, label: t(value) }))}
        onChange={(value) => form.change({ direction: value, amount: writeBaht(fullOf(edge, value)) })}
      />
      <TextInput
        {...form.propsOf('amount')}
        label={t('amount')}
        inputMode="decimal"
        autoComplete="off"
        maxLength={16}
      />
      <Chips edge={edge} direction={direction} onChoose={(chosen) => form.change({ amount: writeBaht(chosen) })} />
      <SegmentedControl
        label={t('method')}
        value={method}
        choices={paymentMethods.map((value) => ({ value, label: methods[value] }))}
        onChange={(value) => form.change({ method: value })}
      />
      <SegmentedControl
        label={t('day')}
        value={day}
        choices={(['today', 'yesterday'] as const).map((value) => ({ value, label: t(value) }))}
        onChange={(value) => form.change({ day: value })}
      />
      <TextInput {...form.propsOf('note')} label={t('note')} autoComplete="off" maxLength={200} />
      {method === 'transfer' && <PhotoField slip={slip} />}
      <Effect edge={edge} amount_satang={amount_satang} />
      {failure !== null && <Alert kind="bad">{failure}</Alert>}
      <Button type="submit" isWide isBusy={isBusy || slip.isBusy}>
        {satang === 0 ? t('confirm_none') : t(`confirm_${direction}`, { amount: formatBaht(satang) })}
      </Button>
    </Stack>
  )
}

/** The whole balance in a direction; 0 if it is on the other side. */
function fullOf({ balance_satang }: Edge, direction: Direction): number {
  return Math.max(0, direction === 'receive' ? balance_satang : -balance_satang)
}

interface ChipsProps {
  edge: Edge
  direction: Direction
  onChoose: (satang: number) => void
}

function Chips({ edge, direction, onChoose }: ChipsProps) {
  const t = useTranslations('sheet.pay')
  const full = fullOf(edge, direction)
  const half = Math.floor(full / 2)
  const chips = [
    ['full', full],
    ['half', half],
    // The week's wins that were not paid out yet, whatever else stands open.
    ['won', direction === 'pay' ? edge.won_satang - edge.paid_satang : 0],
  ] as const
  const shown = chips.filter(([, satang]) => satang > 0)
  if (shown.length === 0) return null
  return (
    <fieldset className={classes.chips}>
      <legend className="visually-hidden">{t('chips')}</legend>
      {shown.map(([name, satang]) => (
        <Button key={name} size="sm" variant="default" onClick={() => onChoose(satang)}>
          {t(name, { amount: formatBaht(satang) })}
        </Button>
      ))}
    </fieldset>
  )
}

function Effect({ edge, amount_satang }: { edge: Edge; amount_satang: number }) {
  const t = useTranslations('sheet.pay.effect')
  const { balance_satang, credit_remain_satang, level } = edge
  return (
    <section aria-label={t('label')} className={classes.effect} data-testid="payment-effect">
      <div>
        <span>{t('balance')}</span>
        <Balance satang={balance_satang} />
        <Becomes />
        <Balance satang={balance_satang - amount_satang} />
      </div>
      {level === 'member' && credit_remain_satang !== null && (
        <div>
          <span>{t('remain')}</span>
          <strong>{formatBaht(credit_remain_satang)}</strong>
          <Becomes />
          <strong>{formatBaht(credit_remain_satang + amount_satang)}</strong>
        </div>
      )}
      <div>{t('limit')}</div>
    </section>
  )
}

/** The chosen photo, which is sent once the payment is recorded. */
function useSlip() {
  const t = useTranslations('sheet.pay')
  const { isBusy, run } = useChange(sendSlip)
  const [photo, setPhoto] = useState<SlipPhoto | null>(null)
  const [hasFailed, setFailed] = useState(false)
  const choose = async (file: File | undefined): Promise<void> => {
    if (file === undefined) return
    setFailed(false)
    try {
      setPhoto(await shrinkPhoto(file))
    } catch {
      setPhoto(null)
      setFailed(true)
    }
  }
  const send = async (payment_id: number): Promise<void> => {
    if (photo === null) return
    const { content_type, image } = photo
    if ((await run({ payment_id, content_type, image })) === null) showToast('bad', t('slip_failed'))
  }
  return { photo, hasFailed, isBusy, choose, send, drop: () => setPhoto(null) }
}

function PhotoField({ slip: { photo, hasFailed, choose, drop } }: { slip: ReturnType<typeof useSlip> }) {
  const t = useTranslations('sheet.pay')
  if (photo !== null)
    return (
      <Row gap={8} align="center">
        <span>{t('photo_chosen', { size: String(Math.ceil(photo.bytes / 1000)) })}</span>
        <Button size="sm" variant="subtle" onClick={drop}>
          {t('photo_drop')}
        </Button>
      </Row>
    )
  return (
    <>
      <label className={classes.photo}>
        <span className={classes.photoFace}>{t('photo')}</span>
        <input type="file" accept="image/*" onChange={(event) => void choose(event.currentTarget.files?.[0])} />
      </label>
      {hasFailed && <Alert kind="bad">{t('photo_failed')}</Alert>}
    </>
  )
}
