import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useTranslations } from 'use-intl'
import { isOutdated } from '../../../lib/errors/refusal.ts'
import { formatBaht } from '../../../lib/format/money.ts'
import { Alert } from '../../../ui/alert.tsx'
import { QueryView, Skeleton } from '../../../ui/query-view.tsx'
import { voidPreviewQuery } from './queries.ts'

interface VoidPreviewProps {
  period_code: string
  /** The action; absent if the period can no longer be voided. */
  children?: ReactNode
}

/** The refunds of a void, for the period's present tickets. */
export function VoidPreview({ period_code, children }: VoidPreviewProps) {
  const t = useTranslations('day.void')
  const preview = useQuery(voidPreviewQuery(period_code))
  const { error } = preview
  // The figures of before say nothing any more.
  const query = error === null ? preview : { ...preview, data: undefined }
  return (
    <>
      <QueryView query={query} skeleton={<Skeleton count={1} height={72} />}>
        {({ tickets, members, refund_satang, is_open }) => (
          <>
            <p data-testid="void-preview">{t('preview', { amount: formatBaht(refund_satang), members, tickets })}</p>
            {is_open && <Alert kind="warn">{t('ends_betting')}</Alert>}
          </>
        )}
      </QueryView>
      {isOutdated(error) || children}
    </>
  )
}

/** Whether the present figures of a void are on screen: nobody confirms others. */
export function useIsVoidSeen(period_code: string, isVoid = true): boolean {
  const { isSuccess, isFetching } = useQuery({ ...voidPreviewQuery(period_code), enabled: isVoid })
  return !isVoid || (isSuccess && !isFetching)
}
