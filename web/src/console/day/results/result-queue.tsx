import type { Period } from '@megalot/contract'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useLocale, useTranslations } from 'use-intl'
import { useNames } from '../../../shared/markets/use-names.ts'
import { serverNowMs, useServerTime } from '../../../lib/clock/server-clock.ts'
import { formatMoment } from '../../../lib/format/dates.ts'
import { Row } from '../../../ui/layout.tsx'
import { todayQuery } from '../today/queries.ts'
import { findNextDraw, listDueResults } from './due-results.ts'
import classes from './results.module.css'

const MINUTE_MS = 60_000

/** The results that have to be entered now, and the next draw. */
export function ResultQueue({ current }: { current?: string }) {
  const t = useTranslations('results.queue')
  const nameOf = useDrawName()
  const { data } = useQuery(todayQuery)
  const nowMs = useServerTime((ms) => ms)
  const due = data === undefined ? [] : listDueResults(data.periods, nowMs)
  const next = data === undefined ? undefined : findNextDraw(data.periods, nowMs)
  return (
    <Row as="section" gap={[8, 6]} align="center" className={classes.queue} aria-label={t('label')}>
      {due.length > 0 && (
        <>
          <strong>{t('due', { count: due.length })}</strong>
          {due.map((period) => (
            <Link
              key={period.period_code}
              to="/results"
              search={{ period: period.period_code }}
              className={classes.due}
              {...(period.period_code === current ? { 'aria-current': 'true' as const } : {})}
            >
              {nameOf(period)}
            </Link>
          ))}
        </>
      )}
      {next !== undefined && <NextDraw period={next} nowMs={nowMs} />}
    </Row>
  )
}

function NextDraw({ period, nowMs }: { period: Period; nowMs: number }) {
  const t = useTranslations('results.queue')
  const nameOf = useDrawName()
  const left = Math.ceil((Date.parse(period.draw_at) - nowMs) / MINUTE_MS)
  const time = left < 60 ? t('minutes', { left }) : t('hours', { hours: Math.floor(left / 60), left: left % 60 })
  return (
    <span className={classes.next}>
      {t('next', { name: nameOf(period) })} · {time}
    </span>
  )
}

/** `Lao VIP 21:30`, with the round of a market that has several, and the day of another day. */
export function useDrawName() {
  const common = useTranslations('common')
  const language = useLocale()
  const { marketName } = useNames()
  return ({ product_code, round, draw_at }: Period): string =>
    [
      marketName(product_code),
      ...(round === null ? [] : [common('round', { round: String(round) })]),
      formatMoment(Date.parse(draw_at), serverNowMs(), language),
    ].join(' ')
}
