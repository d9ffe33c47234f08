import type { MarketQuota } from '@megalot/contract'
import { betTypeByCode } from '@megalot/rules'
import type { BetTypeCode } from '@megalot/rules'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { useLocale, useTranslations } from 'use-intl'
import { toRefusal } from '../../../lib/errors/refusal.ts'
import { showToast } from '../../../lib/feedback/toast.ts'
import { makeChange } from '../../../lib/api/use-change.ts'
import { useSend } from '../../../lib/forms/use-send.ts'
import { useRequestId } from '../../../lib/forms/use-request-id.ts'
import { localizedName } from '../../../lib/i18n/localized-name.ts'
import { Alert } from '../../../ui/alert.tsx'
import { Button } from '../../../ui/button.tsx'
import { Stack } from '../../../ui/layout.tsx'
import { QueryView, Skeleton } from '../../../ui/query-view.tsx'
import { TextInput } from '../../../ui/text-input.tsx'
import pages from '../../lists/lists.module.css'
import { propose } from '../../changes/queries.ts'
import { readBaht, writeBaht } from '../../people/amounts.ts'
import { focusInDialog } from './focus-in-dialog.ts'
import { saveQuota, standingQuotasQuery } from '../../money/limits/queries.ts'
import { useReasonCheck } from '../../../lib/forms/reason.ts'
import { useForm } from '../../../lib/forms/use-form.ts'
import { ReasonField } from '../../../ui/reason-field.tsx'

interface QuotaFormProps {
  product_code: string
  bet_type: BetTypeCode
  /** Takes the focus, because a key has chosen it. */
  isFocused: boolean
  onDone: () => void
}

/** The standing quota of a bet type: how much of each number is accepted at the full and at half the rate. */
export function QuotaForm(props: QuotaFormProps) {
  const query = useQuery(standingQuotasQuery)
  return (
    <QueryView query={query} skeleton={<Skeleton count={2} height={80} />}>
      {(quotas) => (
        <QuotaFields
          {...props}
          before={quotas.find((one) => one.product_code === props.product_code && one.bet_type === props.bet_type)}
        />
      )}
    </QueryView>
  )
}

function QuotaFields({
  product_code,
  bet_type,
  isFocused,
  onDone,
  before,
}: QuotaFormProps & { before: MarketQuota | undefined }) {
  const t = useTranslations('risk.limit')
  const language = useLocale()
  const type = localizedName(betTypeByCode[bet_type], language)
  const proposal = useRequestId(propose)
  const action = useSend(
    async ({ isProposed, ...quota }: { isProposed: boolean; payload: MarketQuota; reason: string }) => {
      if (isProposed) await makeChange(proposal, { kind: 'set_quota', ...quota })
      else await makeChange(saveQuota, { kind: 'set_quota', ...quota })
    },
  )
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => {
    if (isFocused) focusInDialog(form.current?.querySelector('input'))
  }, [isFocused])
  const needsSecondPerson = action.error !== null && toRefusal(action.error).code === 'approval_needed'
  const checkReason = useReasonCheck()
  const fields = useForm({
    initial: {
      full: before === undefined ? '' : writeBaht(before.full_satang),
      half: before === undefined ? '0' : writeBaht(before.half_satang),
      reason: t('reason.quota'),
    },
    check: ({ full, half, reason }) => ({
      full: readBaht(full) === null ? t('no_amount') : null,
      half: readBaht(half) === null ? t('no_amount') : null,
      reason: checkReason(reason),
    }),
    send: async ({ full, half, reason }) => {
      const payload = { product_code, bet_type, full_satang: readBaht(full)!, half_satang: readBaht(half)! }
      if (!(await action.run({ isProposed: needsSecondPerson, payload, reason: reason.trim() }))) return
      showToast('good', t(needsSecondPerson ? 'proposed' : 'done.quota', { type }))
      onDone()
    },
  })
  return (
    <Stack ref={form} noValidate as="form" gap={14} onSubmit={fields.submit}>
      <Alert kind="plain">{t('consequence.quota', { type })}</Alert>
      <div className={pages.fields}>
        <TextInput {...fields.propsOf('full')} label={t('full')} inputMode="decimal" autoComplete="off" />
        <TextInput {...fields.propsOf('half')} label={t('half')} inputMode="decimal" autoComplete="off" />
      </div>
      <ReasonField {...fields.propsOf('reason')} />
      {needsSecondPerson && <Alert kind="warn">{t('needs_second')}</Alert>}
      {action.failure !== null && !needsSecondPerson && <Alert kind="bad">{action.failure}</Alert>}
      <Button type="submit" isBusy={action.isBusy}>
        {t(needsSecondPerson ? 'propose' : 'confirm.quota')}
      </Button>
    </Stack>
  )
}
