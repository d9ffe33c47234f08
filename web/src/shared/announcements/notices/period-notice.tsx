import type { Notice, PostponementNotice, VoidNotice } from '@megalot/contract'
import { useLocale, useTranslations } from 'use-intl'
import { formatInstant } from '../../../lib/format/dates.ts'
import { formatBaht } from '../../../lib/format/money.ts'
import { CorrectedAward } from './corrected-award.tsx'
import { MarketName } from '../../markets/market-name.tsx'

/** A message to a member about a period in which it has bet. */
export function PeriodNotice({ notice }: { notice: Notice }) {
  if (notice.kind === 'award_corrected') return <CorrectedAward notice={notice} />
  return notice.kind === 'period_voided' ? <VoidedPeriod notice={notice} /> : <PostponedPeriod notice={notice} />
}

function PostponedPeriod({ notice: { period } }: { notice: PostponementNotice }) {
  const t = useTranslations('news.postponed')
  const language = useLocale()
  return (
    <>
      <p>
        <MarketName period={period} />
      </p>
      <p>
        {t('times', {
          close: formatInstant(period.close_at, language, 'dayAndTime'),
          draw: formatInstant(period.draw_at, language, 'dayAndTime'),
        })}
      </p>
    </>
  )
}

function VoidedPeriod({ notice }: { notice: VoidNotice }) {
  const t = useTranslations('news.voided')
  const { period, ticket_count, refund_satang, reason } = notice
  return (
    <>
      <p>
        <MarketName period={period} />
      </p>
      <p>{t('refund', { count: ticket_count, amount: formatBaht(refund_satang) })}</p>
      <p>{t('reason', { reason })}</p>
    </>
  )
}
