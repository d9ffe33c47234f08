import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useLocale, useTranslations } from 'use-intl'
import { keepOnDevice } from '../../lib/device/device-storage.ts'
import { REJECTED_SEEN_KEY_PREFIX } from '../../lib/device/storage-keys.ts'
import { readStored, textForm, writeStored } from '../../lib/device/stored-value.ts'
import { formatInstant } from '../../lib/format/dates.ts'
import { Alert } from '../../ui/alert.tsx'
import { Button } from '../../ui/button.tsx'
import classes from './approvals.module.css'
import { ownRejectedQuery } from './queries.ts'
import { nameSubject } from './subject-name.ts'
import { useSubjectWords } from './use-subject-words.ts'

const MAX_SHOWN = 3

/** What somebody else has rejected of what the user asked for, with the reason, until the user has put it aside on this device. */
export function RejectedRequests({ user_id }: { user_id: number }) {
  const t = useTranslations('approvals.rejected')
  const kinds = useTranslations('audit.kind')
  const language = useLocale()
  const words = useSubjectWords()
  const name = `${REJECTED_SEEN_KEY_PREFIX}${user_id}`
  const [seenAt, setSeenAt] = useState(() => readStored(textForm, name) ?? '')
  const { data = [] } = useQuery(ownRejectedQuery)
  const shown = data.filter(({ decided_at }) => decided_at > seenAt)
  const [newest] = shown
  if (newest === undefined) return null
  const putAside = (): void => {
    keepOnDevice(name, writeStored(textForm, newest.decided_at))
    setSeenAt(newest.decided_at)
  }
  return (
    <Alert kind="warn" title={t('title', { count: shown.length })}>
      <div className={classes.rejected} data-testid="rejected-requests">
        <ul>
          {shown.slice(0, MAX_SHOWN).map((one) => (
            <li key={one.cursor}>
              <strong>{[kinds(one.kind), nameSubject(one, words)].join(' · ')}</strong>
              <p>
                {t('by', {
                  name: one.decided_by?.username ?? '',
                  at: formatInstant(one.decided_at, language, 'dayAndTime'),
                })}{' '}
                <q>{one.reason}</q>
              </p>
            </li>
          ))}
        </ul>
        <p className={classes.rejectedLinks}>
          <Link to="/approvals" search={{ list: 'decided' }}>
            {t('all')}
          </Link>
          <Button size="sm" variant="subtle" onClick={putAside}>
            {t('seen')}
          </Button>
        </p>
      </div>
    </Alert>
  )
}
