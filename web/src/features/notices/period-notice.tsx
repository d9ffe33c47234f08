import type { Notice, VoidNotice } from '@megalot/contract'
import { useTranslations } from 'use-intl'
import { formatBaht } from '../../lib/format/money.ts'
import { CorrectedAward } from './corrected-award.tsx'
import { MarketName } from '../markets/market-name.tsx'

/** A message to a member about a period in which it has bet. */
export function PeriodNotice({ notice }: { notice: Notice }) {
  return notice.kind === 'award_corrected' ? <CorrectedAward notice={notice} /> : <VoidedPeriod notice={notice} />
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
