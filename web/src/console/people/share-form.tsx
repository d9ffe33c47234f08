import type { ShareTerms } from '@megalot/contract'
import { useQuery } from '@tanstack/react-query'
import { useTranslations } from 'use-intl'
import { toRefusal } from '../../lib/errors/refusal.ts'
import { showToast } from '../../lib/feedback/toast.ts'
import { makeChange } from '../../lib/api/use-change.ts'
import { useSend } from '../../lib/forms/use-send.ts'
import { useReasonCheck } from '../../lib/forms/reason.ts'
import { inWords, useForm } from '../../lib/forms/use-form.ts'
import { useUser } from '../../lib/user/user-query.ts'
import { Alert } from '../../ui/alert.tsx'
import { Button } from '../../ui/button.tsx'
import { Grid, Stack, Text } from '../../ui/layout.tsx'
import { Skeleton, QueryView } from '../../ui/query-view.tsx'
import { ReasonField } from '../../ui/reason-field.tsx'
import { TextInput } from '../../ui/text-input.tsx'
import { propose } from '../changes/queries.ts'
import { useRequestId } from '../../lib/forms/use-request-id.ts'
import { saveShare, shareQuery } from './tickets/queries.ts'
import { positionProblem, readPercent, writePercent } from './share-rates.ts'

interface ShareOfProps {
  user_id: number
  parent_id: number | null
  onDone: () => void
}

/** A level's share of its downline's stakes, to view and to change. */
export function ShareOf({ user_id, parent_id, onDone }: ShareOfProps) {
  const query = useQuery(shareQuery(user_id))
  const { data: above } = useQuery({ ...shareQuery(parent_id ?? 0), enabled: parent_id !== null })
  const most_rate = above === undefined ? null : above.line_rate - above.position_rate
  return (
    <QueryView query={query} skeleton={<Skeleton count={3} height={60} />}>
      {(terms) => <ShareForm terms={terms} most_rate={most_rate} onDone={onDone} />}
    </QueryView>
  )
}

interface ShareFormProps {
  terms: ShareTerms
  /** The most that its parent can give as line rate; null where it is not known. */
  most_rate: number | null
  onDone: () => void
}

function ShareForm({ terms, most_rate, onDone }: ShareFormProps) {
  const t = useTranslations('people.shares')
  const isOffice = useUser().is_office
  const proposal = useRequestId(propose)
  const checkReason = useReasonCheck()
  const save = async (typed: Record<'position' | 'commission' | 'line' | 'reason', string>): Promise<void> => {
    const position_rate = readPercent(typed.position, 50)
    const line_rate = readPercent(typed.line, 50)
    const commission_rate = readPercent(typed.commission, 1)
    if (position_rate === null || line_rate === null || commission_rate === null) return
    const payload = { user_id: terms.user_id, position_rate, line_rate, commission_rate }
    const reason = typed.reason.trim()
    try {
      await makeChange(saveShare, { ...payload, reason })
    } catch (error) {
      // The office proposes to itself; everybody else asks the office.
      if (toRefusal(error).code !== 'approval_needed' || !isOffice) throw error
      await makeChange(proposal, { kind: 'change_share_terms', payload, reason })
      showToast('good', t('proposed'))
    }
    onDone()
  }
  const { isBusy, failure, run } = useSend(save)
  const fields = useForm({
    initial: {
      position: writePercent(terms.position_rate),
      commission: writePercent(terms.commission_rate),
      line: writePercent(terms.line_rate),
      reason: '',
    },
    check: ({ position, commission, line, reason }) => ({
      ...inWords(
        {
          position: positionProblem(position, line),
          commission: readPercent(commission, 1) === null ? 'commission' : null,
          line: readPercent(line, 50) === null ? 'percent_steps' : null,
        },
        (problem) => t(`problem.${problem}`),
      ),
      reason: checkReason(reason),
    }),
    send: run,
  })
  const fieldOf = (name: 'position' | 'commission' | 'line') => ({
    ...fields.propsOf(name),
    label: t(`field.${name}`),
    autoComplete: 'off',
  })
  return (
    <Stack noValidate as="form" gap={12} above={12} onSubmit={fields.submit}>
      <Text tone="dim">{t('hint')}</Text>
      <Grid least={140} fit gap={12} align="end">
        <TextInput {...fieldOf('position')} inputMode="decimal" maxLength={6} />
        <TextInput {...fieldOf('commission')} inputMode="decimal" maxLength={6} />
      </Grid>
      <TextInput
        {...fieldOf('line')}
        inputMode="decimal"
        maxLength={6}
        description={
          most_rate === null
            ? t('line_hint')
            : `${t('line_hint')} · ${t('line_left', { most: writePercent(most_rate) })}`
        }
      />
      <ReasonField {...fields.propsOf('reason')} />
      {failure !== null && <Alert kind="bad">{failure}</Alert>}
      <Button type="submit" isBusy={isBusy}>
        {t('save')}
      </Button>
    </Stack>
  )
}
