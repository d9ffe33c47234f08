import { MAX_REASON_LENGTH } from '@megalot/contract/browser'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { useTranslations } from 'use-intl'
import { toRefusal } from '../../../lib/errors/refusal.ts'
import type { Sending } from '../../../lib/forms/use-send.ts'
import { useSend } from '../../../lib/forms/use-send.ts'
import { useFields } from '../../../lib/forms/use-fields.ts'
import { Alert } from '../../../ui/alert.tsx'
import { Button } from '../../../ui/button.tsx'
import { Intro, Row, Stack, Text } from '../../../ui/layout.tsx'
import { TextInput } from '../../../ui/text-input.tsx'
import { isShortReason } from '../../../lib/forms/reason.ts'

interface StaffActionFormProps {
  title: string
  /** What it leads to. */
  text: string
  tone: 'plain' | 'bad'
  /** What is wrong with the fields within; null: nothing. */
  problem: string | null
  work: (reason: string) => Promise<unknown>
  onDone: () => void
  onBack: () => void
  children?: ReactNode
}

/** What is done about somebody says what it leads to, and asks for the reason. */
export function StaffActionForm(props: StaffActionFormProps) {
  const { title, text, tone, problem, work, onDone, onBack, children } = props
  const t = useTranslations('staff')
  const back = useTranslations('common.action')('back')
  const action = useSend(work)
  const [isProblemShown, setIsProblemShown] = useState(false)
  const fields = useFields<'reason', 'reason'>(
    { reason: '' },
    ({ reason }) => ({ reason: isShortReason(reason) ? 'reason' : null }),
    (name) => t(`form.problem.${name}`),
  )
  const send = async (): Promise<void> => {
    if (problem !== null) return
    if (await action.run(fields.values.reason.trim())) onDone()
  }
  return (
    <Stack
      noValidate
      as="form"
      gap={14}
      aria-label={title}
      onSubmit={(event) => {
        setIsProblemShown(true)
        fields.submit(event, () => void send())
      }}
    >
      <h3>{title}</h3>
      <Intro>{text}</Intro>
      {children}
      {isProblemShown && problem !== null && (
        <Text size="compact" tone="bad" role="alert">
          {problem}
        </Text>
      )}
      <TextInput
        {...fields.propsOf('reason')}
        label={t('form.reason')}
        maxLength={MAX_REASON_LENGTH}
        autoComplete="off"
      />
      <ActionFailure action={action} />
      <Row gap={8}>
        <Button type="submit" tone={tone} isBusy={action.isBusy}>
          {title}
        </Button>
        <Button variant="default" onClick={onBack}>
          {back}
        </Button>
      </Row>
    </Stack>
  )
}

/** A refusal in words. What one person may not do alone is no mistake: it says that a second person must approve. */
export function ActionFailure({
  action: { error, failure },
  waits,
}: {
  action: Pick<Sending<never, unknown>, 'error' | 'failure'>
  /** What to do where a second person is needed. */
  waits?: string
}) {
  const t = useTranslations('staff')
  if (failure === null) return null
  // A code of the server's approvals, which this version may not know yet.
  const needsSecond = (toRefusal(error).code as string) === 'approval_needed'
  if (!needsSecond) return <Alert kind="bad">{failure}</Alert>
  return (
    <Alert kind="warn" title={t('waits.title')}>
      <p>{failure}</p>
      {waits !== undefined && <p>{waits}</p>}
    </Alert>
  )
}
