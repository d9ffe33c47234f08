import type { Period } from '@megalot/contract'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { useTranslations } from 'use-intl'
import { serverNowMs } from '../../../lib/clock/server-clock.ts'
import { Button } from '../../../ui/button.tsx'
import { todayQuery } from '../today/queries.ts'
import { findNextDue, listDueResults } from './due-results.ts'
import { useDrawName } from './result-queue.tsx'

/** After a result is entered, Enter leads to the next one that is due. */
export function NextDue({ current }: { current: Period }) {
  const t = useTranslations('results.queue')
  const nameOf = useDrawName()
  const navigate = useNavigate()
  const button = useRef<HTMLButtonElement>(null)
  const { data } = useQuery(todayQuery)
  const next = data && findNextDue(listDueResults(data.periods, serverNowMs()), current)
  const next_code = next?.period_code
  useEffect(() => {
    if (next_code !== undefined) button.current?.focus()
  }, [next_code])
  if (data === undefined) return null
  if (next === undefined) return <Link to="/today">{t('last')}</Link>
  return (
    <Button
      ref={button}
      variant="light"
      isWide
      onClick={() => void navigate({ to: '/results', search: { period: next.period_code } })}
    >
      {t('go', { name: nameOf(next) })} <kbd>Enter</kbd>
    </Button>
  )
}
