import type { Payment } from '@megalot/contract'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useMemo } from 'react'
import { useLocale, useTranslations } from 'use-intl'
import { queryKeys } from '../../../lib/api/query-keys.ts'
import { saveFile } from '../../../lib/device/save-file.ts'
import { showToast } from '../../../lib/feedback/toast.ts'
import { formatDay } from '../../../lib/format/dates.ts'
import { formatBaht } from '../../../lib/format/money.ts'
import { canShareFile, shareFile } from '../../../shared/tickets/share/share-picture.ts'
import { Button } from '../../../ui/button.tsx'
import { Row, Stack } from '../../../ui/layout.tsx'
import { QueryView, Skeleton } from '../../../ui/query-view.tsx'
import { sideOf, useMethodWords } from '../balance.tsx'
import { paymentQuery } from './queries.ts'
import { drawReceipt, type ReceiptPicture } from './receipt-picture.ts'
import classes from './sheet.module.css'

interface ReceiptProps {
  payment_id: number
  onClose: () => void
}

/** The receipt of a payment as a picture, to be sent or saved. */
export function Receipt({ payment_id, onClose }: ReceiptProps) {
  const query = useQuery(paymentQuery(payment_id))
  return (
    <QueryView query={query} skeleton={<Skeleton count={1} height={420} />}>
      {(payment) => <Drawn payment={payment} onClose={onClose} />}
    </QueryView>
  )
}

function useReceiptPicture({ number, child, amount_satang, balance_after_satang, method, ...rest }: Payment) {
  const t = useTranslations('sheet.receipt')
  const balances = useTranslations('money.balance')
  const methods = useMethodWords()
  const language = useLocale()
  const isReceived = amount_satang > 0
  const { username, display_name } = child
  const side = sideOf(balance_after_satang)
  const picture: ReceiptPicture = {
    title: t(isReceived ? 'title_receive' : 'title_pay'),
    number,
    amount: formatBaht(Math.abs(amount_satang)),
    caption: t('scan'),
    facts: [
      [t(isReceived ? 'from' : 'to'), display_name === '' ? username : `${display_name} (${username})`],
      [t('day'), formatDay(rest.day, language)],
      ...(method === null ? [] : ([[t('method'), methods[method]]] as const)),
      [
        t('balance_after'),
        side === 'clear' ? balances(side) : `${balances(side)} ${formatBaht(Math.abs(balance_after_satang))}`,
      ],
      ...(rest.recorded_by === null ? [] : ([[t('by'), rest.recorded_by]] as const)),
      ...(rest.note === null ? [] : ([[t('note'), rest.note]] as const)),
    ],
  }
  return picture
}

function Drawn({ payment, onClose }: { payment: Payment; onClose: () => void }) {
  const picture = useReceiptPicture(payment)
  const query = useQuery({
    queryKey: queryKeys.picture(picture),
    queryFn: () => drawReceipt(picture),
    gcTime: 0,
    staleTime: Infinity,
    retry: false,
  })
  return (
    <QueryView query={query} skeleton={<Skeleton count={1} height={420} />}>
      {(blob) => <Shown number={payment.number} title={picture.title} blob={blob} onClose={onClose} />}
    </QueryView>
  )
}

interface ShownProps {
  number: string
  title: string
  blob: Blob
  onClose: () => void
}

function Shown({ number, title, blob, onClose }: ShownProps) {
  const t = useTranslations('sheet.receipt')
  const address = useMemo(() => URL.createObjectURL(blob), [blob])
  useEffect(() => () => URL.revokeObjectURL(address), [address])
  const file = useMemo(() => new File([blob], `megalot-${number}.png`, { type: 'image/png' }), [blob, number])
  const canShare = canShareFile(file)
  const share = async (): Promise<void> => {
    if (!(await shareFile(file, title))) showToast('bad', t('failed'))
  }
  return (
    <Stack gap={12}>
      <img className={classes.picture} src={address} alt={t('alt', { number })} data-testid="receipt-picture" />
      <Row gap={8} justify="center">
        {canShare && <Button onClick={() => void share()}>{t('share')}</Button>}
        <Button variant={canShare ? 'default' : 'filled'} onClick={() => saveFile(file.name, blob)}>
          {t('save')}
        </Button>
        <Button variant="default" onClick={onClose}>
          {t('close')}
        </Button>
      </Row>
    </Stack>
  )
}
