import type { QuotaAmounts } from '@megalot/contract'
import { MAX_REASON_LENGTH, MIN_REASON_LENGTH } from '@megalot/contract/browser'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { toRefusal } from '../../../lib/errors/refusal.ts'
import { showToast } from '../../../lib/feedback/toast.ts'
import { makeChange } from '../../../lib/api/use-change.ts'
import { useSend } from '../../../lib/forms/use-send.ts'
import { useRequestId } from '../../../lib/forms/use-request-id.ts'
import { Alert } from '../../../ui/alert.tsx'
import { Button } from '../../../ui/button.tsx'
import { DialogSheet } from '../../../ui/dialog-sheet.tsx'
import { Grid, Row, Stack } from '../../../ui/layout.tsx'
import { TextInput } from '../../../ui/text-input.tsx'
import { propose } from '../../changes/queries.ts'
import { readWholeBaht } from './rule-draft.ts'
import classes from './numbers.module.css'
import { saveQuota } from './queries.ts'
import { keyOfRow, type QuotaRow, readQuota, toQuotaChange } from './quota-rows.ts'
import { useNumberWords } from './use-number-words.ts'
import { isShortReason } from '../../../lib/forms/reason.ts'

const SATANG_PER_BAHT = 100

/** Changes one quota alone, or proposes it to a second person where it is above the standing one; null: closed. */
export function QuotaSheet({ row, onClose }: { row: QuotaRow | null; onClose: () => void }) {
  const t = useTranslations('numbers.quota')
  const words = useNumberWords()
  const titleOf = ({ product_code, bet_type, package_code, period_code }: QuotaRow): string =>
    [
      period_code === null ? words.marketName(product_code) : words.periodName(period_code, product_code),
      ...(package_code === null ? [] : [t('scope.package', { code: package_code })]),
      words.typeName(bet_type),
    ].join(' · ')
  return (
    <DialogSheet
      isOpen={row !== null}
      onClose={onClose}
      title={row === null ? '' : titleOf(row)}
      dismissible="explicitly"
    >
      {row !== null && <QuotaForm key={keyOfRow(row)} row={row} onClose={onClose} />}
    </DialogSheet>
  )
}

function bahtOf(satang: number | undefined): string {
  return satang === undefined ? '' : String(Math.floor(satang / SATANG_PER_BAHT))
}

function QuotaForm({ row, onClose }: { row: QuotaRow; onClose: () => void }) {
  const t = useTranslations('numbers')
  const [baht, setBaht] = useState({
    full_baht: bahtOf(row.quota?.full_satang),
    half_baht: bahtOf(row.quota?.half_satang),
  })
  const [reason, setReason] = useState('')
  const [isTried, setIsTried] = useState(false)
  const proposal = useRequestId(propose)
  const quota = readQuota(baht.full_baht, baht.half_baht)
  const isReasonShort = isShortReason(reason)
  const send = async (amounts: QuotaAmounts | null): Promise<void> => {
    const change = toQuotaChange(row, amounts)
    if (change === null) return
    const content = { ...change, reason: reason.trim() }
    let isProposed = false
    try {
      await makeChange(saveQuota, content)
    } catch (error) {
      if (toRefusal(error).code !== 'approval_needed') throw error
      await makeChange(proposal, content)
      isProposed = true
    }
    showToast('good', t(isProposed ? 'quota.proposed' : 'quota.saved'))
    onClose()
  }
  const { isBusy, failure, run } = useSend(send)
  /** @param amounts null: the exception ends */
  const submit = (form: HTMLFormElement | null, amounts: QuotaAmounts | null, isEnd: boolean): void => {
    setIsTried(true)
    if (amounts === null && !isEnd)
      form
        ?.querySelector<HTMLElement>(`[name=${readWholeBaht(baht.full_baht) === null ? 'full' : 'half'}_baht]`)
        ?.focus()
    else if (isReasonShort) form?.querySelector<HTMLElement>('[name=reason]')?.focus()
    else void run(amounts)
  }
  return (
    <Stack
      noValidate
      as="form"
      gap={14}
      onSubmit={(event) => {
        event.preventDefault()
        submit(event.currentTarget, quota, false)
      }}
    >
      <p className={classes.dim}>{t(`quota.hint.${row.scope}`)}</p>
      <Grid least={180} fit gap={12} align="end">
        {(['full_baht', 'half_baht'] as const).map((name) => (
          <TextInput
            key={name}
            name={name}
            label={t(name)}
            inputMode="numeric"
            autoComplete="off"
            maxLength={9}
            value={baht[name]}
            onChange={(event) => setBaht({ ...baht, [name]: event.currentTarget.value })}
            error={isTried && readWholeBaht(baht[name]) === null ? t('missing.amount') : null}
          />
        ))}
      </Grid>
      <TextInput
        name="reason"
        label={t('reason')}
        maxLength={MAX_REASON_LENGTH}
        autoComplete="off"
        value={reason}
        onChange={(event) => setReason(event.currentTarget.value)}
        error={isTried && isReasonShort ? t('reason_short', { least: String(MIN_REASON_LENGTH) }) : null}
      />
      {failure !== null && <Alert kind="bad">{failure}</Alert>}
      <Row gap={8} align="center">
        <Button type="submit" isBusy={isBusy}>
          {t('quota.save')}
        </Button>
        {row.scope !== 'market' && row.quota !== null && (
          <Button
            tone="bad"
            variant="default"
            disabled={isBusy}
            onClick={(event) => submit(event.currentTarget.form, null, true)}
          >
            {t(row.scope === 'period_package' ? 'quota.end_here' : 'quota.end')}
          </Button>
        )}
      </Row>
    </Stack>
  )
}
