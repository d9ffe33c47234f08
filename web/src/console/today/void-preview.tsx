import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useTranslations } from 'use-intl'
import { formatBaht } from '../../lib/format/money.ts'
import { Alert } from '../../ui/alert.tsx'
import { QueryView, Skeleton } from '../../ui/query-view.tsx'
import { voidPreviewQuery } from './queries.ts'

interface VoidPreviewProps {
  period_code: string
  /** What follows once it is known what the void refunds. */
  children?: ReactNode
}

/** What a void of a period would refund, as its tickets are now. */
export function VoidPreview({ period_code, children }: VoidPreviewProps) {
  const t = useTranslations('day.void')
  const preview = useQuery(voidPreviewQuery(period_code))
  return (
    <QueryView query={preview} skeleton={<Skeleton count={1} height={160} />}>
      {({ tickets, members, refund_satang, is_open }) => (
        <>
          <p data-testid="void-preview">{t('preview', { amount: formatBaht(refund_satang), members, tickets })}</p>
          {is_open && <Alert kind="warn">{t('ends_betting')}</Alert>}
          {children}
        </>
      )}
    </QueryView>
  )
}
