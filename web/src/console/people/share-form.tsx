import type { ShareTerms } from '@megalot/contract'
import { MAX_REASON_LENGTH } from '@megalot/contract/browser'
import { useQuery } from '@tanstack/react-query'
import { useTranslations } from 'use-intl'
import { toRefusal } from '../../lib/errors/refusal.ts'
import { showToast } from '../../lib/feedback/toast.ts'
import { makeChange } from '../../lib/api/use-change.ts'
import { useSend } from '../../lib/forms/use-send.ts'
import { useFields } from '../../lib/forms/use-fields.ts'
import { useUser } from '../../lib/user/user-query.ts'
import { Alert } from '../../ui/alert.tsx'
import { Button } from '../../ui/button.tsx'
import { Grid, Stack, Text } from '../../ui/layout.tsx'
import { Skeleton, QueryView } from '../../ui/query-view.tsx'
import { TextInput } from '../../ui/text-input.tsx'
import { propose } from '../changes/queries.ts'
import { useRequestId } from '../../lib/forms/use-request-id.ts'
import { saveShare, shareQuery } from './tickets/queries.ts'
import { positionProblem, readPercent, writePercent } from './share-rates.ts'
import { isShortReason } from '../../lib/forms/reason.ts'

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
  const fields = useFields(
    {
      position: writePercent(terms.position_rate),
      commission: writePercent(terms.commission_rate),
      line: writePercent(terms.line_rate),
      reason: '',
    },
    ({ position, commission, line, reason }) => ({
      position: positionProblem(position, line),
      commission: readPercent(commission, 1) === null ? 'commission' : null,
      line: readPercent(line, 50) === null ? 'percent_steps' : null,
      reason: isShortReason(reason) ? 'reason' : null,
    }),
    (problem: 'percent_steps' | 'position_over' | 'commission' | 'reason') => t(`problem.${problem}`),
  )
  const save = async (): Promise<void> => {
    const position_rate = readPercent(fields.values.position, 50)
    const line_rate = readPercent(fields.values.line, 50)
    const commission_rate = readPercent(fields.values.commission, 1)
    if (position_rate === null || line_rate === null || commission_rate === null) return
    const payload = { user_id: terms.user_id, position_rate, line_rate, commission_rate }
    const reason = fields.values.reason.trim()
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
  const fieldOf = (name: Parameters<typeof fields.propsOf>[0]) => ({
    ...fields.propsOf(name),
    label: t(`field.${name}`),
    autoComplete: 'off',
  })
  return (
    <Stack noValidate as="form" gap={12} above={12} onSubmit={(event) => fields.submit(event, () => void run())}>
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
      <TextInput {...fieldOf('reason')} maxLength={MAX_REASON_LENGTH} />
      {failure !== null && <Alert kind="bad">{failure}</Alert>}
      <Button type="submit" isBusy={isBusy}>
        {t('save')}
      </Button>
    </Stack>
  )
}
