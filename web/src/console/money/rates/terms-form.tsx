import type { Approval } from '@megalot/contract'
import { betTypeByCode } from '@megalot/rules'
import { Link } from '@tanstack/react-router'
import { useLocale, useTranslations } from 'use-intl'
import { toRefusal } from '../../../lib/errors/refusal.ts'
import { showToast } from '../../../lib/feedback/toast.ts'
import { formatPercent } from '../../../lib/format/money.ts'
import { makeChange } from '../../../lib/api/use-change.ts'
import { useSend } from '../../../lib/forms/use-send.ts'
import { localizedName } from '../../../lib/i18n/localized-name.ts'
import { useUser } from '../../../lib/user/user-query.ts'
import { Alert } from '../../../ui/alert.tsx'
import { Button } from '../../../ui/button.tsx'
import { Checkbox } from '../../../ui/checkbox.tsx'
import { Card, Grid, Stack, Text } from '../../../ui/layout.tsx'
import { TextInput } from '../../../ui/text-input.tsx'
import { propose } from '../../changes/queries.ts'
import { permissionsOf } from '../../menu.ts'
import { isAbout, useTermsWords, writeChangesOf } from '../../changes/terms-changes.ts'
import { useRequestId } from '../../../lib/forms/use-request-id.ts'
import { saveTerms } from './queries.ts'
import { draftOf, readTerms } from './terms-draft.ts'
import type { ReadTerms, Terms, TermsDraft, TermsField } from './terms-draft.ts'
import classes from './terms.module.css'
import { useReasonCheck } from '../../../lib/forms/reason.ts'
import { useForm } from '../../../lib/forms/use-form.ts'
import { ReasonField } from '../../../ui/reason-field.tsx'

const fieldNames = ['rate', 'discount', 'min', 'max', 'max_per_number'] as const satisfies readonly TermsField[]

interface TermsFormProps {
  product_code: string
  package_code: string
  terms: readonly Terms[]
  /** Proposals for these terms that wait for a second person. */
  waiting: readonly Approval[]
}

/** Changes terms alone, or proposes them to a second person where they return more than 100 %. */
export function TermsForm({ product_code, package_code, terms, waiting }: TermsFormProps) {
  const t = useTranslations('terms')
  const language = useLocale()
  const mayChange = permissionsOf(useUser()).has('terms.do')
  const proposal = useRequestId(propose)
  const checkReason = useReasonCheck()
  const readAll = (drafts: readonly TermsDraft[]) => terms.map((one, index) => readTerms(one, drafts[index]!))
  const fields = useForm({
    initial: () => ({ drafts: terms.map(draftOf), reason: '' }),
    check: ({ drafts, reason }) => {
      const read = readAll(drafts)
      const [wrong] = read.flatMap(({ problems }) => Object.values(problems))
      const isUnchanged = read.every((one) => one.change === null)
      return {
        drafts: wrong !== undefined ? t(`problem.${wrong}`) : isUnchanged ? t('unchanged') : null,
        reason: checkReason(reason),
      }
    },
    send: ({ reason }) => run(reason.trim()),
  })
  const { drafts } = fields.values
  const reads = readAll(drafts)
  const bet_types = reads.flatMap(({ change }) => (change === null ? [] : [change]))
  const hasProblem = reads.some(({ problems }) => Object.keys(problems).length > 0)
  const unchanged = fields.problems.drafts ?? null
  const needsApproval = reads.some(({ bound, change }) => change !== null && bound === 'approved')
  const again = bet_types
    .filter(({ bet_type }) => proposalsFor(waiting, bet_type).length > 0)
    .map(({ bet_type }) => localizedName(betTypeByCode[bet_type], language))
  const send = async (said: string): Promise<void> => {
    const content = { product_code, package_code, bet_types }
    const proposeTerms = () => makeChange(proposal, { kind: 'change_game_config', payload: content, reason: said })
    let isProposed = needsApproval
    if (needsApproval) await proposeTerms()
    else
      try {
        await makeChange(saveTerms, { ...content, reason: said })
      } catch (error) {
        // The returns are within bounds, but not with the highest commission of the house.
        if (toRefusal(error).code !== 'approval_needed') throw error
        await proposeTerms()
        isProposed = true
      }
    showToast('good', t(isProposed ? 'proposed' : 'saved'))
    fields.reset({ reason: '', ...(isProposed ? { drafts: terms.map(draftOf) } : {}) })
  }
  const { isBusy, failure, run } = useSend(send)
  return (
    <Stack noValidate as="form" gap={12} aria-label={t('title')} onSubmit={fields.submit}>
      <Stack as="fieldset" name="drafts" gap={12}>
        {terms.map((one, index) => (
          <BetTypeFields
            key={one.bet_type}
            terms={one}
            draft={drafts[index]!}
            read={reads[index]!}
            waiting={proposalsFor(waiting, one.bet_type)}
            isDisabled={!mayChange}
            onChange={(draft) => fields.change({ drafts: drafts.with(index, draft) })}
          />
        ))}
      </Stack>
      {mayChange && (
        <Card gap={8} pad={[10, 14, 12]} className={classes.card}>
          {needsApproval && <Alert kind="warn">{t('needs_approval')}</Alert>}
          {again.length > 0 && (
            <Alert kind="warn">{t(needsApproval ? 'propose_again' : 'save_again', { types: again.join(', ') })}</Alert>
          )}
          <ReasonField {...fields.propsOf('reason')} />
          {bet_types.length === 0 && !hasProblem && unchanged !== null && <Alert kind="plain">{unchanged}</Alert>}
          {failure !== null && <Alert kind="bad">{failure}</Alert>}
          <Button type="submit" isWide isBusy={isBusy}>
            {bet_types.length === 0
              ? t('save_nothing')
              : t(needsApproval ? 'propose' : 'save', { count: bet_types.length })}
          </Button>
        </Card>
      )}
    </Stack>
  )
}

/** The proposals that change a bet type. */
function proposalsFor(waiting: readonly Approval[], bet_type: string): readonly Approval[] {
  return waiting.filter((approval) => isAbout(approval, bet_type))
}

interface BetTypeFieldsProps {
  terms: Terms
  draft: TermsDraft
  read: ReadTerms
  waiting: readonly Approval[]
  isDisabled: boolean
  onChange: (draft: TermsDraft) => void
}

function BetTypeFields({ terms, draft, read, waiting, isDisabled, onChange }: BetTypeFieldsProps) {
  const t = useTranslations('terms')
  const words = useTermsWords()
  const language = useLocale()
  const name = localizedName(betTypeByCode[terms.bet_type], language)
  const { return_rate, bound, problems } = read
  return (
    <Card
      as="fieldset"
      gap={8}
      pad={[10, 14, 12]}
      className={classes.card}
      data-changed={read.change !== null || undefined}
    >
      <legend className={classes.name}>{name}</legend>
      <Grid least={120} fit gap={[8, 12]} className={classes.fields}>
        {fieldNames.map((field) => {
          const problem = problems[field]
          return (
            <TextInput
              key={field}
              label={t(`field.${field}`)}
              inputMode="decimal"
              autoComplete="off"
              maxLength={16}
              disabled={isDisabled}
              value={draft[field]}
              onChange={(event) => onChange({ ...draft, [field]: event.currentTarget.value })}
              error={problem === undefined ? null : t(`problem.${problem}`)}
            />
          )
        })}
        <Checkbox
          label={t('is_on')}
          isChecked={draft.is_on}
          isDisabled={isDisabled}
          onChange={(is_on) => onChange({ ...draft, is_on })}
        />
      </Grid>
      <p className={classes.return} data-bound={bound} data-testid={`return-${terms.bet_type}`}>
        {return_rate === null ? t('no_return') : t('return', { rate: formatPercent(return_rate) })}
        {bound !== 'alone' && ` · ${t(`bound.${bound}`)}`}
      </p>
      {waiting.map((approval) => (
        <Text key={approval.approval_id} tone="warn" data-testid={`waiting-${terms.bet_type}`}>
          {t('waiting', {
            change: writeChangesOf(approval, terms.bet_type, words),
            name: approval.proposed_by.username,
          })}{' '}
          <Link to="/approvals">{t('to_approvals')}</Link>
        </Text>
      ))}
    </Card>
  )
}
