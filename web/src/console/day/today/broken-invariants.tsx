import type { InvariantBreak, InvariantFinding } from '@megalot/contract'
import { AUDITOR_RUNS, listInvariantBreaks } from '@megalot/contract/browser'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { useLocale, useTranslations } from 'use-intl'
import { callRoute } from '../../../lib/api/http-client.ts'
import { queryKeys } from '../../../lib/api/query-keys.ts'
import { serverNowMs } from '../../../lib/clock/server-clock.ts'
import { formatMoment } from '../../../lib/format/dates.ts'
import { formatCount, formatSignedBaht } from '../../../lib/format/money.ts'
import { localizedName } from '../../../lib/i18n/localized-name.ts'
import { Alert } from '../../../ui/alert.tsx'
import { Hint, Stack } from '../../../ui/layout.tsx'
import classes from './today.module.css'

/** The auditor runs once a minute. */
const REFETCH_MS = 30_000

const breaksQuery = queryOptions({
  queryKey: queryKeys.markets.part('day', 'invariants'),
  queryFn: async ({ signal }) => (await callRoute(listInvariantBreaks, { signal })).data,
  refetchInterval: REFETCH_MS,
})

/** Invariants of money that are broken, with the records and figures, and whether nobody checks them; nothing where all is well. */
export function BrokenInvariants() {
  const t = useTranslations('invariants')
  const language = useLocale()
  const { data = [] } = useQuery(breaksQuery)
  const open = data.filter(({ whole_at }) => whole_at === null)
  const late = open.find(({ invariant }) => invariant === AUDITOR_RUNS)
  const broken = open.filter((one) => one !== late)
  return (
    <>
      {late && (
        <Alert kind="bad" title={t('late')}>
          <p>{t('late_text', { from: formatMoment(Date.parse(late.broken_at), serverNowMs(), language) })}</p>
        </Alert>
      )}
      {broken.length > 0 && (
        <Alert kind="bad" title={t('title', { count: broken.length })}>
          <p>{t('text')}</p>
          <Stack as="ul" marked gap={8} above={8} data-testid="broken-invariants">
            {broken.map((one) => (
              <OneBreak key={one.break_id} one={one} />
            ))}
          </Stack>
        </Alert>
      )}
    </>
  )
}

function OneBreak({ one }: { one: InvariantBreak }) {
  const t = useTranslations('invariants')
  const language = useLocale()
  const moment = (instant: string): string => formatMoment(Date.parse(instant), serverNowMs(), language)
  const { record_count, findings, unit } = one
  return (
    <li>
      <p>{t('rule', { name: localizedName(one, language) })}</p>
      <Hint>
        {t('since', { from: moment(one.broken_at), seen: moment(one.seen_at) })} ·{' '}
        {record_count > findings.length
          ? t('more', { shown: formatCount(findings.length), count: formatCount(record_count) })
          : t('records', { count: record_count })}
      </Hint>
      <ul className={classes.findings}>
        {findings.map((finding) => (
          <li key={JSON.stringify(finding)}>
            <FindingLine finding={finding} unit={unit} />
          </li>
        ))}
      </ul>
    </li>
  )
}

function FindingLine({ finding, unit }: { finding: InvariantFinding; unit: InvariantBreak['unit'] }) {
  const t = useTranslations('invariants')
  const { order_id, entry_id, user_id, period_id, bet, stored, computed } = finding
  const amountOf = (value: number): string => (unit === 'satang' ? formatSignedBaht(value) : formatCount(value))
  const records = [
    ['ticket', order_id],
    ['entry', entry_id],
    ['user', user_id],
    ['period', period_id],
  ] as const
  const amounts = [
    ['stored', stored],
    ['computed', computed],
  ] as const
  const parts = [
    ...records.flatMap(([name, id]) => (typeof id === 'number' ? t(name, { id: String(id) }) : [])),
    ...(bet === undefined ? [] : [bet]),
    ...amounts.flatMap(([name, value]) => (typeof value === 'number' ? t(name, { amount: amountOf(value) }) : [])),
  ]
  return <>{parts.join(' · ')}</>
}
