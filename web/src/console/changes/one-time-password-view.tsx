import IconCopy from '~icons/copy'
import { useTranslations } from 'use-intl'
import { showToast } from '../../lib/feedback/toast.ts'
import { Alert } from '../../ui/alert.tsx'
import { Button } from '../../ui/button.tsx'
import classes from '../console-pages.module.css'

/** Which part of a password is shown: all of it, or the half of one of the two people who decide about a user. */
export type PasswordPart = 'whole' | 'first_half' | 'second_half'

interface OneTimePasswordProps {
  username: string
  password: string
  part?: PasswordPart
  onKept: () => void
}

/** A password for one log-in, or a half of it, shown once to whoever hands it on. */
export function OneTimePassword({ username, password, part = 'whole', onKept }: OneTimePasswordProps) {
  const t = useTranslations('staff')
  const copy = (): void =>
    void navigator.clipboard.writeText(`${username}\n${password}`).then(() => showToast('good', t('password.copied')))
  return (
    <div className={classes.form}>
      <Alert kind="warn">{t('password.once')}</Alert>
      <dl className={`${classes.facts} ${classes.secrets}`}>
        <div>
          <dt>{t('username')}</dt>
          <dd className={classes.secret}>{username}</dd>
        </div>
        <div>
          <dt>{t(part === 'whole' ? 'password.password' : 'password.half')}</dt>
          <dd className={classes.secret} data-testid="one-time-password">
            {password}
          </dd>
        </div>
      </dl>
      <p className={classes.intro}>{t(`password.text.${part}`)}</p>
      <div className={classes.buttons}>
        <Button variant="default" icon={<IconCopy size={18} stroke={1.75} aria-hidden="true" />} onClick={copy}>
          {t('password.copy')}
        </Button>
        <Button onClick={onKept}>{t('password.kept')}</Button>
      </div>
    </div>
  )
}
