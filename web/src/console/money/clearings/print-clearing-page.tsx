import { CONSOLE_BASE } from '@megalot/contract/browser'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useLocale, useTranslations } from 'use-intl'
import { addDays } from '../../../lib/format/calendar-day.ts'
import { formatDays } from '../../../lib/format/dates.ts'
import { marketsQuery } from '../../../shared/markets/queries.ts'
import { PrintSheet } from '../../../shared/print/print-sheet.tsx'
import { Row, Stack } from '../../../ui/layout.tsx'
import { QueryView, Skeleton } from '../../../ui/query-view.tsx'
import { ClearingBody } from './clearing-body.tsx'
import { clearingQuery } from './queries.ts'
import { StateChip } from './state-chip.tsx'

const route = getRouteApi('/print/clearings/$clearing_id')

/** A clearing statement on paper. */
export function PrintClearingPage() {
  const t = useTranslations('clearings')
  const language = useLocale()
  const { clearing_id } = route.useParams()
  const query = useQuery(clearingQuery(clearing_id))
  const { isPending } = useQuery(marketsQuery)
  const name = query.data?.child.username ?? ''
  return (
    <PrintSheet
      title={t('of', { name })}
      backTo={`${CONSOLE_BASE}/money/clearings/${clearing_id}`}
      isReady={query.data !== undefined && !isPending}
    >
      <QueryView query={query} skeleton={<Skeleton count={6} height={40} />}>
        {(clearing) => (
          <Stack gap={16}>
            <Row gap={12} align="center">
              {t('week', { days: formatDays(clearing.week, addDays(clearing.week, 6), language) })}
              <StateChip state={clearing.state} />
            </Row>
            <ClearingBody clearing={clearing} />
          </Stack>
        )}
      </QueryView>
    </PrintSheet>
  )
}
