import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { findEmailProblem } from '../../../lib/forms/email-form.ts'
import { useSend } from '../../../lib/forms/use-send.ts'
import { inWords, useForm } from '../../../lib/forms/use-form.ts'
import { Alert } from '../../../ui/alert.tsx'
import { Button } from '../../../ui/button.tsx'
import { Grid, Stack } from '../../../ui/layout.tsx'
import { TextInput } from '../../../ui/text-input.tsx'
import { tryMail } from './queries.ts'
import classes from './setup.module.css'

interface Outcome {
  kind: 'good' | 'warn' | 'bad'
  text: string
}

/** Sends a test mail to a typed address and shows the mail server's reply. */
export function TestMail() {
  const t = useTranslations('setup.mail')
  const { isBusy, failure, run } = useSend(tryMail)
  const [outcome, setOutcome] = useState<Outcome | null>(null)
  const fields = useForm({
    initial: { to: '' },
    check: ({ to }) => inWords({ to: findEmailProblem(to) }, (problem) => t(`problem.${problem}`)),
    send: async (values) => {
      setOutcome(null)
      const to = values.to.trim()
      const tried = await run(to)
      if (tried === null) return
      const { has_server, error } = tried.result
      if (!has_server) setOutcome({ kind: 'warn', text: t('no_server') })
      else if (error === null) setOutcome({ kind: 'good', text: t('sent', { to }) })
      else setOutcome({ kind: 'bad', text: t('failed', { error }) })
    },
  })
  return (
    <Stack noValidate as="form" gap={12} align="start" className={classes.action} onSubmit={fields.submit}>
      <Grid least={220} fit gap={12} most={560} className={classes.pair}>
        <TextInput {...fields.propsOf('to')} label={t('to')} type="email" inputMode="email" autoComplete="email" />
      </Grid>
      {failure !== null && <Alert kind="bad">{failure}</Alert>}
      {outcome !== null && <Alert kind={outcome.kind}>{outcome.text}</Alert>}
      <Button type="submit" variant="default" isBusy={isBusy}>
        {t('send')}
      </Button>
    </Stack>
  )
}
