import type { OwnMoney, Payment } from '@megalot/contract'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useLocale, useTranslations } from 'use-intl'
import { addDays } from '../../lib/format/calendar-day.ts'
import { formatDay, formatDays } from '../../lib/format/dates.ts'
import { formatBaht, formatSignedBaht } from '../../lib/format/money.ts'
import { Button } from '../../ui/button.tsx'
import { DialogSheet } from '../../ui/dialog-sheet.tsx'
import { Card, Heading, Hint, Row, Stack, Text } from '../../ui/layout.tsx'
import { PageTitle } from '../../ui/page-title.tsx'
import { EmptyNote, QueryView, Skeleton } from '../../ui/query-view.tsx'
import { DisputeForm } from './dispute-form.tsx'
import { OwnReceipt, useOwnKind } from './own-receipt.tsx'
import { OwnBalance } from './own-balance.tsx'
import { ownMoneyQuery } from './queries.ts'
import classes from './own-money.module.css'

/** What the member and its agent owe each other, this week's sum of it, and the payments. */
export function OwnMoneyPage() {
  const t = useTranslations('balance')
  const query = useQuery(ownMoneyQuery)
  return (
    <Stack gap={16} className={classes.page}>
      <PageTitle title={t('title')} />
      <QueryView query={query} skeleton={<Skeleton count={3} height={140} />}>
        {(money) => (
          <>
            <Sum money={money} />
            <Payments payments={money.payments} />
          </>
        )}
      </QueryView>
    </Stack>
  )
}

function Sum({ money }: { money: OwnMoney }) {
  const t = useTranslations('balance')
  const language = useLocale()
  const { week, balance_satang, open_satang, adjusted_satang } = money
  const lines = [
    ['forward', money.forward_satang],
    ['week', money.week_satang],
    ['given', money.given_satang],
    ['got', 0 - money.got_satang],
    ...(adjusted_satang === 0 ? [] : ([['adjusted', adjusted_satang]] as const)),
  ] as const
  return (
    <Card as="section" gap={8} pad={[14, 16, 16]} aria-label={t('now')}>
      <OwnBalance satang={balance_satang} isLarge />
      <Text size="small" tone="dim">
        {t('as_of', { days: formatDays(week, addDays(week, 6), language) })}
      </Text>
      <dl className={classes.sum}>
        {lines.map(([name, satang]) => (
          <div key={name}>
            <dt>{t(`line.${name}`)}</dt>
            <dd>{formatSignedBaht(satang)}</dd>
          </div>
        ))}
        <div data-total>
          <dt>{t('line.balance')}</dt>
          <dd>{formatSignedBaht(balance_satang)}</dd>
        </div>
      </dl>
      <Hint>{t('sign_hint')}</Hint>
      {open_satang > 0 && <Hint>{t('open', { amount: formatBaht(open_satang) })}</Hint>}
      <Hint>{t('limit_hint')}</Hint>
      <Link className={classes.link} to="/reports/balance">
        {t('statement')}
      </Link>
    </Card>
  )
}

interface Opened {
  kind: 'receipt' | 'dispute'
  payment: Payment
}

function Payments({ payments }: { payments: readonly Payment[] }) {
  const t = useTranslations('balance')
  const [opened, setOpened] = useState<Opened | null>(null)
  // The dispute's state changes while its sheet is open.
  const shown = payments.find(({ payment_id }) => payment_id === opened?.payment.payment_id)
  const close = (): void => setOpened(null)
  return (
    <Stack as="section" gap={8} aria-label={t('receipts')}>
      <Heading>{t('receipts')}</Heading>
      {payments.length === 0 ? (
        <EmptyNote title={t('none')}>{t('none_hint')}</EmptyNote>
      ) : (
        <ul className={classes.list}>
          {payments.map((payment) => (
            <PaymentItem
              key={payment.payment_id}
              payment={payment}
              onOpen={() => setOpened({ kind: 'receipt', payment })}
              onDispute={() => setOpened({ kind: 'dispute', payment })}
            />
          ))}
        </ul>
      )}
      <DialogSheet
        isOpen={opened !== null && shown !== undefined}
        onClose={close}
        title={
          opened === null
            ? ''
            : t(opened.kind === 'receipt' ? 'receipt.title' : 'dispute.title', { number: opened.payment.number })
        }
        dismissible={opened?.kind === 'dispute' ? 'explicitly' : 'always'}
      >
        {shown !== undefined && opened?.kind === 'receipt' && (
          <OwnReceipt payment={shown} onDispute={() => setOpened({ kind: 'dispute', payment: shown })} />
        )}
        {shown !== undefined && opened?.kind === 'dispute' && <DisputeForm payment={shown} onDone={close} />}
      </DialogSheet>
    </Stack>
  )
}

interface PaymentItemProps {
  payment: Payment
  onOpen: () => void
  onDispute: () => void
}

function PaymentItem({ payment, onOpen, onDispute }: PaymentItemProps) {
  const t = useTranslations('balance')
  const language = useLocale()
  const kindOf = useOwnKind()
  const { number, day, method, amount_satang, reversed_by_id, dispute } = payment
  return (
    <li className={classes.item} data-testid={`payment-${number}`}>
      <Row justify="space-between" align="start" nowrap gap={12}>
        <button type="button" className={classes.open} onClick={onOpen}>
          <strong>{kindOf(payment)}</strong>
          <span>
            {formatDay(day, language, 'shortDay')}
            {method !== null && ` · ${t(`method.${method}`)}`} · {number}
          </span>
          <span className="visually-hidden">{t('open_receipt', { number })}</span>
        </button>
        <strong className={classes.amount} data-struck={reversed_by_id !== null || undefined}>
          {formatBaht(Math.abs(amount_satang))}
        </strong>
      </Row>
      {reversed_by_id !== null && (
        <Text size="small" tone="dim">
          {t('reversed')}
        </Text>
      )}
      {dispute !== null && (
        <Text size="small" tone={dispute.answer === null ? 'warn' : 'dim'}>
          {dispute.answer === null ? t('dispute.waits') : t('dispute.answer', { answer: dispute.answer })}
        </Text>
      )}
      {isDisputable(payment) && (
        <Button size="sm" variant="subtle" aria-label={t('dispute.button_of', { number })} onClick={onDispute}>
          {t('dispute.button')}
        </Button>
      )}
    </li>
  )
}

/** A payment that was not disputed yet. The server refuses old ones. */
const isDisputable = ({ dispute, reversed_by_id, reverses_id }: Payment): boolean =>
  dispute === null && reversed_by_id === null && reverses_id === null
