import type { Person } from '@megalot/contract'
import { useTranslations } from 'use-intl'
import { formatBaht } from '../../lib/format/money.ts'
import { Balance } from '../money/balance.tsx'
import { StatusText } from '../lists/status-text.tsx'
import classes from './people.module.css'

/** A user in one line of a phone: name, level, credit and status. */
export function PhonePerson({ person }: { person: Person }) {
  const ofUser = useTranslations('user')
  const { username, display_name, level, status, credit_used_satang, credit_limit_satang, owed_satang } = person
  return (
    <div className={classes.phone}>
      <span>
        <strong>{username}</strong>
        {display_name !== username && <span className={classes.phoneName}>{display_name}</span>}
      </span>
      <span>
        {owed_satang !== null && owed_satang !== 0 && <Balance satang={owed_satang} />}
        {(owed_satang === null || owed_satang === 0) && credit_limit_satang !== null && (
          <>
            {formatBaht(credit_used_satang ?? 0)}
            <span className={classes.dim}>/ {formatBaht(credit_limit_satang)}</span>
          </>
        )}
      </span>
      <span className={classes.dim}>{ofUser(`level.${level}`)}</span>
      <StatusText status={status} />
    </div>
  )
}
