import type { MarketQuota } from '@megalot/contract'
import { MAX_REASON_LENGTH, MIN_REASON_LENGTH } from '@megalot/contract/browser'
import { betTypeByCode } from '@megalot/rules'
import type { BetTypeCode } from '@megalot/rules'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
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
import { isShortReason } from '../../../lib/forms/reason.ts'

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
  const [full, setFull] = useState(before === undefined ? '' : writeBaht(before.full_satang))
  const [half, setHalf] = useState(before === undefined ? '0' : writeBaht(before.half_satang))
  const [reason, setReason] = useState<string>(t('reason.quota'))
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
  const [full_satang, half_satang] = [readBaht(full), readBaht(half)]
  const isShort = isShortReason(reason)
  const needsSecondPerson = action.error !== null && toRefusal(action.error).code === 'approval_needed'
  const send = async (): Promise<void> => {
    if (full_satang === null || half_satang === null || isShort) return
    const payload = { product_code, bet_type, full_satang, half_satang }
    if (!(await action.run({ isProposed: needsSecondPerson, payload, reason: reason.trim() }))) return
    showToast('good', t(needsSecondPerson ? 'proposed' : 'done.quota', { type }))
    onDone()
  }
  return (
    <Stack
      ref={form}
      noValidate
      as="form"
      gap={14}
      onSubmit={(event) => {
        event.preventDefault()
        void send()
      }}
    >
      <Alert kind="plain">{t('consequence.quota', { type })}</Alert>
      <div className={pages.fields}>
        <TextInput
          label={t('full')}
          inputMode="decimal"
          autoComplete="off"
          value={full}
          error={full_satang === null ? t('no_amount') : null}
          onChange={(event) => setFull(event.currentTarget.value)}
        />
        <TextInput
          label={t('half')}
          inputMode="decimal"
          autoComplete="off"
          value={half}
          error={half_satang === null ? t('no_amount') : null}
          onChange={(event) => setHalf(event.currentTarget.value)}
        />
      </div>
      <TextInput
        label={t('reason_label')}
        value={reason}
        maxLength={MAX_REASON_LENGTH}
        autoComplete="off"
        error={isShort ? t('reason_short', { least: String(MIN_REASON_LENGTH) }) : null}
        onChange={(event) => setReason(event.currentTarget.value)}
      />
      {needsSecondPerson && <Alert kind="warn">{t('needs_second')}</Alert>}
      {action.failure !== null && !needsSecondPerson && <Alert kind="bad">{action.failure}</Alert>}
      <Button type="submit" isBusy={action.isBusy}>
        {t(needsSecondPerson ? 'propose' : 'confirm.quota')}
      </Button>
    </Stack>
  )
}
