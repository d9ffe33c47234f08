import type { LimitRuleResult, ProductPeriod } from '@megalot/contract'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import type { KeyboardEvent } from 'react'
import { useTranslations } from 'use-intl'
import { useErrorMessage } from '../../../lib/errors/use-error-message.ts'
import { useChange } from '../../../lib/api/use-change.ts'
import { useRequestId } from '../../../lib/forms/use-request-id.ts'
import { Alert } from '../../../ui/alert.tsx'
import { Button } from '../../../ui/button.tsx'
import { Stack } from '../../../ui/layout.tsx'
import { emptyDraft, type RuleContent, type RuleDraft, readDraft, readWholeBaht } from './rule-draft.ts'
import { PreviewSums, PreviewTable } from './rule-preview.tsx'
import { MarketFields } from './market-fields.tsx'
import { NumberFields } from './number-fields.tsx'
import classes from './numbers.module.css'
import { periodsByMarket } from './periods-by-market.ts'
import { rulePreviewQuery, saveRule } from './queries.ts'
import { usePaused } from '../../../lib/forms/use-paused.ts'
import { ValueFields } from './value-fields.tsx'
import { useReasonCheck } from '../../../lib/forms/reason.ts'
import { focusField, useForm } from '../../../lib/forms/use-form.ts'
import { ReasonField } from '../../../ui/reason-field.tsx'

/** The preview of what is typed; `isCurrent`: it is of exactly that. */
function usePreview(content: RuleContent | null) {
  const text = JSON.stringify(content)
  const paused = usePaused(text)
  const query = useQuery(rulePreviewQuery(JSON.parse(paused) as RuleContent | null))
  const isCurrent = content !== null && paused === text && query.data !== undefined && !query.isPlaceholderData
  return { data: content === null ? undefined : query.data, error: query.error, isCurrent }
}

/** The form of a rule: numbers, bet types, what they are set to and where, with a preview that follows the typing. */
export function RuleForm({ markets }: { markets: readonly ProductPeriod[] }) {
  const t = useTranslations('numbers')
  const periods = useMemo(() => periodsByMarket(markets), [markets])
  const [saved, setSaved] = useState<LimitRuleResult | null>(null)
  const { isBusy, failure, run } = useChange(useRequestId(saveRule))
  const checkReason = useReasonCheck()
  const read = (draft: RuleDraft) => readDraft(draft, (product_code) => periods.get(product_code))
  const fields = useForm<RuleDraft & { reason: string }>({
    initial: { ...emptyDraft, reason: '' },
    check: (values) => {
      const found = read(values)
      const missing = 'missing' in found ? found.missing : null
      const fault = missing === null ? null : t(`missing.${missing}`)
      const amountFault = (text: string): string | null =>
        missing === 'amount' && readWholeBaht(text) === null ? fault : null
      return {
        text: missing === 'numbers' || missing === 'too_many' ? fault : null,
        bet_types: missing === 'bet_types' ? fault : null,
        full_baht: amountFault(values.full_baht),
        half_baht: amountFault(values.half_baht),
        product_codes: missing === 'markets' ? fault : null,
        reason: checkReason(values.reason),
      }
    },
    send: async ({ reason }, form) => {
      if (content === null || !preview.isCurrent) return
      const sent = await run({ ...content, reason: reason.trim() })
      if (sent === null) return
      // The next rule is often for the same markets.
      fields.reset({ text: '', reason: '' })
      setSaved(sent.result)
      focusField(form, 'text')
    },
  })
  const found = read(fields.values)
  const content = 'content' in found ? found.content : null
  const preview = usePreview(content)
  const change = (part: Partial<RuleDraft>): void => {
    setSaved(null)
    fields.change(part)
  }
  const draft = { draft: fields.values, problems: fields.problems, onChange: change }
  return (
    // The key is a shortcut; the button does the same.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <form noValidate className={classes.form} onSubmit={fields.submit} onKeyDown={submitByKey}>
      <Stack gap={14}>
        <NumberFields {...draft} />
        <ValueFields {...draft} />
        <MarketFields markets={markets} periods={periods} {...draft} />
      </Stack>
      <Stack gap={14}>
        {saved !== null && <Saved result={saved} />}
        <PreviewPart preview={preview} />
        <ReasonField {...fields.propsOf('reason')} />
        {failure !== null && <Alert kind="bad">{failure}</Alert>}
        <Button type="submit" isBusy={isBusy} disabled={content !== null && !preview.isCurrent}>
          {content === null ? t('submit_none') : t('submit', { count: countSet(preview.data) })}
        </Button>
        <p className={classes.dim}>{t('submit_key')}</p>
        {/* Last, because it may have thousands of rows. */}
        {preview.data !== undefined && <PreviewTable rows={preview.data.rows} />}
      </Stack>
    </form>
  )
}

/** Ctrl-Enter sends the form from any of its fields, also from the one with several lines. */
function submitByKey(event: KeyboardEvent<HTMLFormElement>): void {
  if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
  event.preventDefault()
  event.currentTarget.requestSubmit()
}

function countSet(preview: LimitRuleResult | undefined): number {
  return preview?.rows.filter(({ outcome }) => outcome === 'set').length ?? 0
}

function PreviewPart({ preview: { data, error } }: { preview: ReturnType<typeof usePreview> }) {
  const t = useTranslations('numbers')
  const errorMessage = useErrorMessage()
  if (error !== null) return <Alert kind="warn">{errorMessage(error)}</Alert>
  return data === undefined ? <p className={classes.dim}>{t('no_preview')}</p> : <PreviewSums preview={data} />
}

function Saved({ result }: { result: LimitRuleResult }) {
  const t = useTranslations('numbers')
  return (
    <Alert kind="good">
      {t('saved', { count: countSet(result), periods: result.period_count })}{' '}
      <Link to={'/numbers/rules'} search={{ rule_id: result.rule_id ?? 0 }}>
        {t('to_saved')}
      </Link>
    </Alert>
  )
}
