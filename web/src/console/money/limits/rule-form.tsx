import type { LimitRuleResult, ProductPeriod } from '@megalot/contract'
import { MAX_REASON_LENGTH, MIN_REASON_LENGTH } from '@megalot/contract/browser'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import type { FormEvent, KeyboardEvent } from 'react'
import { useTranslations } from 'use-intl'
import { useErrorMessage } from '../../../lib/errors/use-error-message.ts'
import { useChange } from '../../../lib/api/use-change.ts'
import { useRequestId } from '../../../lib/forms/use-request-id.ts'
import { Alert } from '../../../ui/alert.tsx'
import { Button } from '../../../ui/button.tsx'
import { Stack } from '../../../ui/layout.tsx'
import { TextInput } from '../../../ui/text-input.tsx'
import { emptyDraft, type RuleContent, type RuleDraft, type MissingPart, readDraft } from './rule-draft.ts'
import { PreviewSums, PreviewTable } from './rule-preview.tsx'
import { MarketFields } from './market-fields.tsx'
import { NumberFields } from './number-fields.tsx'
import classes from './numbers.module.css'
import { periodsByMarket } from './periods-by-market.ts'
import { rulePreviewQuery, saveRule } from './queries.ts'
import { usePaused } from '../../../lib/forms/use-paused.ts'
import { ValueFields } from './value-fields.tsx'
import { isShortReason } from '../../../lib/forms/reason.ts'

/** The preview of what is typed; `isCurrent`: it is of exactly that. */
function usePreview(content: RuleContent | null) {
  const text = JSON.stringify(content)
  const paused = usePaused(text)
  const query = useQuery(rulePreviewQuery(JSON.parse(paused) as RuleContent | null))
  const isCurrent = content !== null && paused === text && query.data !== undefined && !query.isPlaceholderData
  return { data: content === null ? undefined : query.data, error: query.error, isCurrent }
}

/** The part of the form that lacks something takes the focus. */
function focusPart(form: HTMLFormElement, part: MissingPart | 'reason'): void {
  form.querySelector<HTMLElement>(`[data-part~=${part}] :is(textarea, input:not([disabled]))`)?.focus()
}

/** The form of a rule: numbers, bet types, what they are set to and where, with a preview that follows the typing. */
export function RuleForm({ markets }: { markets: readonly ProductPeriod[] }) {
  const t = useTranslations('numbers')
  const periods = useMemo(() => periodsByMarket(markets), [markets])
  const [draft, setDraft] = useState(emptyDraft)
  const [reason, setReason] = useState('')
  const [isTried, setIsTried] = useState(false)
  const [saved, setSaved] = useState<LimitRuleResult | null>(null)
  const { isBusy, failure, run } = useChange(useRequestId(saveRule))
  const read = readDraft(draft, (product_code) => periods.get(product_code))
  const content = 'content' in read ? read.content : null
  const missing = 'missing' in read ? read.missing : null
  const preview = usePreview(content)
  const isReasonShort = isShortReason(reason)
  const change = (changes: Partial<RuleDraft>): void => {
    setSaved(null)
    setDraft({ ...draft, ...changes })
  }
  const send = async (rule: RuleContent, form: HTMLFormElement): Promise<void> => {
    const sent = await run({ ...rule, reason: reason.trim() })
    if (sent === null) return
    // The next rule is often for the same markets.
    setDraft({ ...draft, text: '' })
    setReason('')
    setIsTried(false)
    setSaved(sent.result)
    focusPart(form, 'numbers')
  }
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault()
    setIsTried(true)
    const form = event.currentTarget
    if (missing !== null) focusPart(form, missing)
    else if (isReasonShort) focusPart(form, 'reason')
    else if (content !== null && preview.isCurrent) void send(content, form)
  }
  const shownMissing = isTried ? missing : null
  return (
    // The key is a shortcut; the button does the same.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <form noValidate className={classes.form} onSubmit={submit} onKeyDown={submitByKey}>
      <Stack gap={14}>
        <NumberFields draft={draft} missing={shownMissing} onChange={change} />
        <ValueFields draft={draft} missing={shownMissing} onChange={change} />
        <MarketFields markets={markets} periods={periods} draft={draft} missing={shownMissing} onChange={change} />
      </Stack>
      <Stack gap={14}>
        {saved !== null && <Saved result={saved} />}
        <PreviewPart preview={preview} />
        <div data-part="reason">
          <TextInput
            name="reason"
            label={t('reason')}
            maxLength={MAX_REASON_LENGTH}
            autoComplete="off"
            value={reason}
            onChange={(event) => setReason(event.currentTarget.value)}
            error={isTried && isReasonShort ? t('reason_short', { least: String(MIN_REASON_LENGTH) }) : null}
          />
        </div>
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
