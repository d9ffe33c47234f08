import '@mantine/core/styles/Input.css'
import { Button, TextInput } from '@mantine/core'
import type { ShareTerms } from '@megalot/contract'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { useErrorMessage } from '../../lib/errors/use-error-message.ts'
import { Alert } from '../../ui/alert.tsx'
import { Skeleton, QueryView } from '../../ui/query-view.tsx'
import classes from './oversight.module.css'
import { saveShare, shareQuery } from './queries.ts'
import { readPercent, writePercent } from './share-rates.ts'

/** What a level takes of its downline's stakes, to be seen and changed. */
export function ShareOf({ user_id, onDone }: { user_id: number; onDone: () => void }) {
  const query = useQuery(shareQuery(user_id))
  return (
    <QueryView query={query} skeleton={<Skeleton count={3} height={60} />}>
      {(terms) => <ShareForm terms={terms} onDone={onDone} />}
    </QueryView>
  )
}

function ShareForm({ terms, onDone }: { terms: ShareTerms; onDone: () => void }) {
  const t = useTranslations('oversight.shares')
  const errorMessage = useErrorMessage()
  const [values, setValues] = useState({
    position: writePercent(terms.position_rate),
    commission: writePercent(terms.commission_rate),
    reason: '',
  })
  const [isJudged, setIsJudged] = useState(false)
  const position_rate = readPercent(values.position, 50)
  const commission_rate = readPercent(values.commission, 1)
  const reason = values.reason.trim()
  const problems = {
    position: position_rate === null ? t('problem.position') : null,
    commission: commission_rate === null ? t('problem.commission') : null,
    reason: reason.length < 3 ? t('problem.reason') : null,
  }
  const change = useMutation({
    mutationFn: (body: Parameters<typeof saveShare>[1]) => saveShare(terms.user_id, body),
    onSuccess: onDone,
  })
  const fieldOf = (name: keyof typeof values) => ({
    label: t(`field.${name}`),
    value: values[name],
    autoComplete: 'off',
    error: isJudged ? problems[name] : null,
    onChange: (event: { currentTarget: { value: string } }) =>
      setValues({ ...values, [name]: event.currentTarget.value }),
  })
  return (
    <form
      noValidate
      className={classes.form}
      onSubmit={(event) => {
        event.preventDefault()
        setIsJudged(true)
        if (position_rate !== null && commission_rate !== null && problems.reason === null)
          change.mutate({ position_rate, commission_rate, reason })
      }}
    >
      <p className={classes.dim}>{t('hint')}</p>
      <div className={classes.pair}>
        <TextInput {...fieldOf('position')} inputMode="decimal" maxLength={6} />
        <TextInput {...fieldOf('commission')} inputMode="decimal" maxLength={6} />
      </div>
      <TextInput {...fieldOf('reason')} maxLength={200} />
      {change.error !== null && <Alert kind="bad">{errorMessage(change.error)}</Alert>}
      <Button type="submit" loading={change.isPending}>
        {t('save')}
      </Button>
    </form>
  )
}
