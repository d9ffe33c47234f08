import type { BulkResult } from '@megalot/contract'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { useTranslations } from 'use-intl'
import { useChange } from '../../../lib/api/use-change.ts'
import { showToast } from '../../../lib/feedback/toast.ts'
import { useRequestId } from '../../../lib/forms/use-request-id.ts'
import { Alert } from '../../../ui/alert.tsx'
import { Button } from '../../../ui/button.tsx'
import { DialogSheet } from '../../../ui/dialog-sheet.tsx'
import { Row, Stack } from '../../../ui/layout.tsx'
import { QueryView, Skeleton } from '../../../ui/query-view.tsx'
import { PaymentOutcomes, ProposePayments } from './payment-outcomes.tsx'
import { type PaymentRow, previewQuery, sendPayments } from './queries.ts'

interface SaveDialogProps {
  isOpen: boolean
  onClose: () => void
  payments: readonly PaymentRow[]
  nameOf: (user_id: number) => string
  /** Those whose payments are recorded or proposed. */
  onRecorded: (user_ids: readonly number[]) => void
}

/** Many payments at once: the preview by row, one call, and the outcome by row. */
export function SaveDialog({ isOpen, onClose, payments, nameOf, onRecorded }: SaveDialogProps) {
  const t = useTranslations('sheet.save')
  // Here and not below: rows that are sent again after the dialog was closed keep their id.
  const { isBusy, failure, run } = useChange(useRequestId(sendPayments))
  const [sent, setSent] = useState<{ rows: readonly PaymentRow[]; result: BulkResult } | null>(null)
  const close = (): void => {
    setSent(null)
    onClose()
  }
  const send = async (rows: readonly PaymentRow[]): Promise<void> => {
    const made = await run({ rows: [...rows] })
    if (made === null) return
    const { result } = made
    onRecorded(result.outcomes.filter(({ code }) => code === 'ok').map(({ user_id }) => user_id))
    if (result.refused_count > 0) return setSent({ rows, result })
    showToast('good', t('done', { count: result.ok_count }))
    return close()
  }
  return (
    <DialogSheet isOpen={isOpen} onClose={close} title={t('title')} dismissible="explicitly">
      {sent === null ? (
        <Preview
          {...{ payments, nameOf, isBusy, failure, onRecorded }}
          onSend={(rows) => void send(rows)}
          onClose={close}
        />
      ) : (
        <Stack gap={12}>
          <PaymentOutcomes rows={sent.rows} result={sent.result} nameOf={nameOf} />
          <ProposePayments rows={sent.rows} result={sent.result} onDone={onRecorded} />
          <Button variant="default" onClick={close}>
            {t('close')}
          </Button>
        </Stack>
      )}
    </DialogSheet>
  )
}

interface PreviewProps extends Pick<SaveDialogProps, 'payments' | 'nameOf' | 'onClose' | 'onRecorded'> {
  isBusy: boolean
  failure: string | null
  onSend: (rows: readonly PaymentRow[]) => void
}

function Preview({ payments, nameOf, isBusy, failure, onSend, onClose, onRecorded }: PreviewProps) {
  const t = useTranslations('sheet.save')
  const query = useQuery(previewQuery(payments))
  const count = query.data?.ok_count ?? 0
  const button = useRef<HTMLButtonElement>(null)
  // Enter saves as soon as the preview is there.
  useEffect(() => {
    if (count > 0) button.current?.focus()
  }, [count])
  return (
    <Stack gap={12}>
      <QueryView query={query} skeleton={<Skeleton count={4} height={44} />}>
        {(result) => (
          <>
            <PaymentOutcomes rows={payments} result={result} nameOf={nameOf} />
            {count === 0 && <ProposePayments rows={payments} result={result} onDone={onRecorded} />}
          </>
        )}
      </QueryView>
      {failure !== null && <Alert kind="bad">{failure}</Alert>}
      <Row gap={8} align="center">
        <Button ref={button} isBusy={isBusy} disabled={count === 0} onClick={() => onSend(payments)}>
          {t('confirm', { count })}
        </Button>
        <Button variant="default" onClick={onClose}>
          {t('cancel')}
        </Button>
      </Row>
    </Stack>
  )
}
