import { useTranslations } from 'use-intl'
import { rateStrength } from '../lib/forms/password-strength.ts'
import classes from './password-strength.module.css'

/** How hard a password is to guess, while it is typed; nothing while the field is empty. */
export function PasswordStrength({ password, username = '' }: { password: string; username?: string }) {
  const t = useTranslations('account.strength')
  const strength = rateStrength(password, username)
  return (
    <output className={classes.strength} data-strength={password === '' ? undefined : strength}>
      {password !== '' && (
        <>
          <span className={classes.bar} aria-hidden="true" />
          {t(strength)}
        </>
      )}
    </output>
  )
}
