import type { PasswordRequest } from '@megalot/contract'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useLocale, useTranslations } from 'use-intl'
import { serverNowMs } from '../../lib/clock/server-clock.ts'
import { formatMoment } from '../../lib/format/dates.ts'
import { Alert } from '../../ui/alert.tsx'
import { Button } from '../../ui/button.tsx'
import { Row, Stack } from '../../ui/layout.tsx'
import { PasswordSheet } from './password-sheet.tsx'
import classes from './people.module.css'
import { passwordRequestsQuery } from './queries.ts'

/** Users who asked for a new password: one press makes a one-time password to hand over. */
export function PasswordRequests() {
  const t = useTranslations('people.requests')
  const language = useLocale()
  const { data: requests = [] } = useQuery(passwordRequestsQuery)
  const [answered, setAnswered] = useState<PasswordRequest | null>(null)
  return (
    <>
      {requests.length > 0 && (
        <Alert kind="plain" title={t('title', { count: requests.length })}>
          <p>{t('hint')}</p>
          <Stack as="ul" gap={8} above={8}>
            {requests.map((request) => (
              <Row key={request.user_id} as="li" gap={8} align="center" justify="space-between">
                <span>
                  <strong>{request.username}</strong> {request.display_name}{' '}
                  <span className={classes.dim}>
                    {formatMoment(Date.parse(request.requested_at), serverNowMs(), language)}
                  </span>
                </span>
                <Button size="sm" onClick={() => setAnswered(request)}>
                  {t('give')}
                  <span className="visually-hidden"> {request.username}</span>
                </Button>
              </Row>
            ))}
          </Stack>
        </Alert>
      )}
      <PasswordSheet person={answered} onClose={() => setAnswered(null)} reason={t('reason')} />
    </>
  )
}
