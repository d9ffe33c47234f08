import type { QuotaAmounts } from '@megalot/contract'
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
import { useReasonCheck } from '../../../lib/forms/reason.ts'
import { useForm } from '../../../lib/forms/use-form.ts'
import { ReasonField } from '../../../ui/reason-field.tsx'

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
  const proposal = useRequestId(propose)
  /** @param sent without amounts the exception ends */
  const send = async (sent: { amounts: QuotaAmounts | null; reason: string }): Promise<void> => {
    const change = toQuotaChange(row, sent.amounts)
    if (change === null) return
    const content = { ...change, reason: sent.reason.trim() }
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
  const checkReason = useReasonCheck()
  const checkAmount = (text: string): string | null => (readWholeBaht(text) === null ? t('missing.amount') : null)
  const fields = useForm({
    initial: { full_baht: bahtOf(row.quota?.full_satang), half_baht: bahtOf(row.quota?.half_satang), reason: '' },
    check: ({ full_baht, half_baht, reason }) => ({
      full_baht: checkAmount(full_baht),
      half_baht: checkAmount(half_baht),
      reason: checkReason(reason),
    }),
    send: ({ full_baht, half_baht, reason }) => run({ amounts: readQuota(full_baht, half_baht), reason }),
  })
  const { reason } = fields.values
  return (
    <Stack noValidate as="form" gap={14} onSubmit={fields.submit}>
      <p className={classes.dim}>{t(`quota.hint.${row.scope}`)}</p>
      <Grid least={180} fit gap={12} align="end">
        {(['full_baht', 'half_baht'] as const).map((name) => (
          <TextInput
            key={name}
            {...fields.propsOf(name)}
            label={t(name)}
            inputMode="numeric"
            autoComplete="off"
            maxLength={9}
          />
        ))}
      </Grid>
      <ReasonField {...fields.propsOf('reason')} />
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
            // Without a reason the form says so.
            onClick={({ currentTarget: { form } }) =>
              checkReason(reason) === null ? void run({ amounts: null, reason }) : form?.requestSubmit()
            }
          >
            {t(row.scope === 'period_package' ? 'quota.end_here' : 'quota.end')}
          </Button>
        )}
      </Row>
    </Stack>
  )
}
