import type { DataOf, Rows } from '@megalot/contract'
import IconCopy from '~icons/copy'
import { useState } from 'react'
import { useLocale, useTranslations } from 'use-intl'
import { findUsernameProblem } from '../../../shared/account/login-rules.ts'
import { showToast } from '../../../lib/feedback/toast.ts'
import { formatInstant } from '../../../lib/format/dates.ts'
import { useChange } from '../../../lib/api/use-change.ts'
import { inWords, useForm } from '../../../lib/forms/use-form.ts'
import { useRequestId } from '../../../lib/forms/use-request-id.ts'
import { Alert } from '../../../ui/alert.tsx'
import { Button } from '../../../ui/button.tsx'
import { Grid, Stack } from '../../../ui/layout.tsx'
import { TextInput } from '../../../ui/text-input.tsx'
import changes from '../../changes/changes.module.css'
import { makeOwnerLink } from './queries.ts'
import classes from './setup.module.css'

type Made = DataOf<Rows['inviteOwner']>

/** Makes the second owner, whose link is shown once. */
export function InviteOwner({ onMade }: { onMade: () => void }) {
  const t = useTranslations('setup.invite')
  const owner = useTranslations('setup.owner')
  const { isBusy, failure, run } = useChange(useRequestId(makeOwnerLink))
  const [made, setMade] = useState<Made | null>(null)
  const fields = useForm({
    initial: { username: '', display_name: '' },
    check: ({ username, display_name }) =>
      inWords(
        {
          username: findUsernameProblem(username.trim()),
          display_name: display_name.trim() === '' ? 'required' : null,
        },
        (problem) => owner(`problem.${problem}`),
      ),
    send: async ({ username, display_name }) => {
      const invited = await run({ username: username.trim(), display_name: display_name.trim() })
      if (invited === null) return
      setMade(invited.result)
      onMade()
    },
  })
  if (made !== null) return <OwnerLink made={made} onAgain={() => setMade(null)} />
  return (
    <Stack
      noValidate
      as="form"
      gap={12}
      align="start"
      className={classes.action}
      aria-label={t('submit')}
      onSubmit={fields.submit}
    >
      <p className={classes.text}>{t('text')}</p>
      <Grid least={220} fit gap={12} most={560} className={classes.pair}>
        <TextInput
          {...fields.propsOf('username')}
          label={t('username')}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          maxLength={255}
        />
        <TextInput {...fields.propsOf('display_name')} label={t('display_name')} autoComplete="off" maxLength={100} />
      </Grid>
      <p className={classes.text}>{t('again')}</p>
      {failure !== null && <Alert kind="bad">{failure}</Alert>}
      <Button type="submit" isBusy={isBusy}>
        {t('submit')}
      </Button>
    </Stack>
  )
}

function OwnerLink({ made: { username, link, expires_at }, onAgain }: { made: Made; onAgain: () => void }) {
  const t = useTranslations('setup.invite')
  const language = useLocale()
  const copy = (text: string): void =>
    void navigator.clipboard.writeText(text).then(() => showToast('good', t('copied')))
  return (
    <Stack gap={12} align="start" className={classes.action}>
      <p>{t('link', { username, until: formatInstant(expires_at, language, 'dayAndTime') })}</p>
      {link === null ? (
        <Alert kind="warn">{t('used_up')}</Alert>
      ) : (
        <>
          <code className={changes.secret} data-testid="owner-link" translate="no">
            {link}
          </code>
          <p className={classes.text}>{t('once')}</p>
          <Button
            variant="default"
            icon={<IconCopy size={18} stroke={1.75} aria-hidden="true" />}
            onClick={() => copy(link)}
          >
            {t('copy')}
          </Button>
        </>
      )}
      <Button variant="subtle" onClick={onAgain}>
        {t('another')}
      </Button>
    </Stack>
  )
}
