import IconCopy from '~icons/copy'
import { useTranslations } from 'use-intl'
import { showToast } from '../../lib/feedback/toast.ts'
import { Alert } from '../../ui/alert.tsx'
import { Button } from '../../ui/button.tsx'
import { Fact, Facts, Intro, Row, Stack } from '../../ui/layout.tsx'
import classes from './changes.module.css'

/** Which part of a password is shown: all of it, or the half of one of the two people who decide about a user. */
export type PasswordPart = 'whole' | 'first_half' | 'second_half'

interface OneTimePasswordProps {
  username: string
  password: string
  part?: PasswordPart
  onKept: () => void
}

/** A one-time password, or a half of it, shown once to the person who hands it on. */
export function OneTimePassword({ username, password, part = 'whole', onKept }: OneTimePasswordProps) {
  const t = useTranslations('staff')
  const copy = (): void =>
    void navigator.clipboard.writeText(`${username}\n${password}`).then(() => showToast('good', t('password.copied')))
  return (
    <Stack gap={14}>
      <Alert kind="warn">{t('password.once')}</Alert>
      <Facts className={classes.secrets} below={12}>
        <Fact label={t('username')} className={classes.secret}>
          {username}
        </Fact>
        <Fact
          label={t(part === 'whole' ? 'password.password' : 'password.half')}
          className={classes.secret}
          data-testid="one-time-password"
        >
          {password}
        </Fact>
      </Facts>
      <Intro>{t(`password.text.${part}`)}</Intro>
      <Row gap={8}>
        <Button variant="default" icon={<IconCopy size={18} stroke={1.75} aria-hidden="true" />} onClick={copy}>
          {t('password.copy')}
        </Button>
        <Button onClick={onKept}>{t('password.kept')}</Button>
      </Row>
    </Stack>
  )
}
