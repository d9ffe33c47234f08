import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useLocale, useTranslations } from 'use-intl'
import { serverNowMs } from '../../lib/clock/server-clock.ts'
import { keepOnDevice } from '../../lib/device/device-storage.ts'
import { NEW_MEMBER_CREDIT_KEY } from '../../lib/device/page-storage-keys.ts'
import { readStoredText } from '../../lib/device/stored-value.ts'
import { formatMoment } from '../../lib/format/dates.ts'
import { Alert } from '../../ui/alert.tsx'
import { Button } from '../../ui/button.tsx'
import { Row } from '../../ui/layout.tsx'
import { readBaht, writeBaht } from './amounts.ts'
import { ChangeSheet } from './change-sheet.tsx'
import type { ChangeTask } from './change-task.ts'
import classes from './people.module.css'
import { newestPeopleQuery } from './queries.ts'

/** Members are announced this long after they have registered. */
const NEWS_MS = 24 * 3_600_000
const MAX_SHOWN = 3
const FIRST_CREDIT_SATANG = 100_000

/** The settings given to the last new member, or a first suggestion. */
function suggestCredit(): number {
  return readBaht(readStoredText(NEW_MEMBER_CREDIT_KEY) ?? '') ?? FIRST_CREDIT_SATANG
}

/** Members who have registered with a code and have no credit yet: credit is two clicks away. */
export function NewMembers() {
  const t = useTranslations('people.newcomer')
  const language = useLocale()
  const { data: newest } = useQuery(newestPeopleQuery)
  const [dismissed, setDismissed] = useState<ReadonlySet<number>>(new Set())
  const [task, setTask] = useState<ChangeTask | null>(null)
  const nowMs = serverNowMs()
  const waiting = (newest?.data ?? []).filter(
    (person) =>
      person.agent_code !== null &&
      person.parent_id === newest?.root_id &&
      person.credit_limit_satang === 0 &&
      nowMs - Date.parse(person.created_at) < NEWS_MS &&
      !dismissed.has(person.user_id),
  )
  return (
    <>
      {waiting.slice(0, MAX_SHOWN).map((person) => (
        <Alert key={person.user_id} kind="plain">
          <Row gap={[8, 16]} align="center" justify="space-between" data-testid="newcomer">
            <p>
              {t('registered', {
                name: person.username,
                code: person.agent_code ?? '',
                at: formatMoment(Date.parse(person.created_at), nowMs, language),
              })}{' '}
              <Link to="/people/$user_id" params={{ user_id: String(person.user_id) }}>
                {t('profile')}
                <span className="visually-hidden"> {person.username}</span>
              </Link>
            </p>
            <Row gap={8} align="center" className={classes.buttons}>
              <Button
                size="sm"
                onClick={() =>
                  setTask({ kind: 'credit', people: [person], credit_satang: suggestCredit(), reason: t('reason') })
                }
              >
                {t('give')}
                <span className="visually-hidden"> {person.username}</span>
              </Button>
              <Button size="sm" variant="subtle" onClick={() => setDismissed(new Set([...dismissed, person.user_id]))}>
                {t('later')}
                <span className="visually-hidden"> {person.username}</span>
              </Button>
            </Row>
          </Row>
        </Alert>
      ))}
      <ChangeSheet
        task={task}
        onClose={() => setTask(null)}
        onDone={(_task, { amount }) => {
          const satang = readBaht(amount)
          if (satang !== null) keepOnDevice(NEW_MEMBER_CREDIT_KEY, writeBaht(satang))
        }}
      />
    </>
  )
}
