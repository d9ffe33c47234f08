import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useLocale, useTranslations } from 'use-intl'
import { showToast } from '../../../lib/feedback/toast.ts'
import { formatInstant } from '../../../lib/format/dates.ts'
import { useChange } from '../../../lib/api/use-change.ts'
import { Alert } from '../../../ui/alert.tsx'
import { Button } from '../../../ui/button.tsx'
import { Row, Stack } from '../../../ui/layout.tsx'
import classes from './approvals.module.css'
import { ownRejectedQuery, putRejectionsAside } from './queries.ts'
import { nameSubject } from './subject-name.ts'
import { useSubjectWords } from './use-subject-words.ts'

/** More of them would take the page away from below them on a phone. */
const MAX_SHOWN = 2

/** The user's rejected requests with the reason, until the user dismisses them. */
export function RejectedRequests() {
  const t = useTranslations('approvals.rejected')
  const kinds = useTranslations('audit.kind')
  const language = useLocale()
  const words = useSubjectWords()
  const { data: shown = [] } = useQuery(ownRejectedQuery)
  const { isBusy, run } = useChange(putRejectionsAside, (failure) => showToast('bad', failure))
  const [newest] = shown
  if (newest === undefined) return null
  return (
    <Alert kind="warn" title={t('title', { count: shown.length })}>
      <Stack gap={8} className={classes.rejected} data-testid="rejected-requests">
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
        <Row as="p" gap={8} align="center">
          <Link to="/approvals" search={{ list: 'decided' }}>
            {t('all')}
          </Link>
          <Button size="sm" variant="subtle" isBusy={isBusy} onClick={() => void run(newest.cursor)}>
            {t('seen')}
          </Button>
        </Row>
      </Stack>
    </Alert>
  )
}
