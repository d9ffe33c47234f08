import type { SessionListing } from '@megalot/contract'
import IconCircleCheck from '~icons/circle-check'
import IconCircleOff from '~icons/circle-off'
import IconDeviceLaptop from '~icons/device-laptop'
import { useInfiniteQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { useLocale, useTranslations } from 'use-intl'
import { nameDevice } from '../../../shared/sessions/device-name.ts'
import { sessionsQuery } from '../../../shared/sessions/queries.ts'
import type { SessionScope } from '../../../shared/sessions/queries.ts'
import { formatInstant } from '../../../lib/format/dates.ts'
import { endSession } from '../../../lib/user/log-off.ts'
import { useUser } from '../../../lib/user/user-query.ts'
import { Button } from '../../../ui/button.tsx'
import { DataGrid } from '../../../ui/grid/data-grid.tsx'
import type { GridColumn } from '../../../ui/grid/grid-column.ts'
import { Intro, Row } from '../../../ui/layout.tsx'
import { PageTitle } from '../../../ui/page-title.tsx'
import { EmptyNote } from '../../../ui/query-view.tsx'
import { RefreshButton } from '../../../ui/refresh-button.tsx'
import { SegmentedControl } from '../../../ui/segmented-control.tsx'
import { permissionsOf } from '../../menu.ts'
import type { SessionsSearch } from './sessions-search.ts'
import { useGridState } from '../../lists/use-grid-state.ts'
import { EndSessionsSheet } from './end-sessions-sheet.tsx'

const route = getRouteApi('/main/account/sessions')

/** Open sessions with device and time: the caller's own, the staff's, and the downline's. */
export function SessionsPage() {
  const t = useTranslations('sessions')
  const search: SessionsSearch = route.useSearch()
  const navigate = route.useNavigate()
  const setSearch = (next: SessionsSearch): void => void navigate({ search: next, replace: true })
  const permissions = permissionsOf(useUser())
  const scopes: readonly SessionScope[] = [
    'own',
    ...(permissions.has('staff.view') ? ['staff' as const] : []),
    ...(permissions.has('people.view') ? ['downline' as const] : []),
  ]
  const scope = search.scope !== undefined && scopes.includes(search.scope) ? search.scope : 'own'
  const canEnd = scope !== 'own' && permissions.has(scope === 'staff' ? 'staff.do' : 'people.do')
  const query = useInfiniteQuery(sessionsQuery(scope))
  const rows = useMemo(() => query.data?.pages.flat(), [query.data])
  const [ended, setEnded] = useState<readonly SessionListing[] | null>(null)
  const columns = useSessionColumns(scope, canEnd ? (row) => setEnded([row]) : null)
  const grid = useGridState({ list: `sessions-${scope}`, columns, search, onSearch: setSearch })
  const endSelected = (selected: readonly SessionListing[]) => (
    <Button size="sm" tone="bad" onClick={() => setEnded(selected)}>
      {t('end_selected')}
    </Button>
  )
  return (
    <>
      <PageTitle title={t('title')}>
        <RefreshButton isBusy={query.isRefetching} onRefresh={() => void query.refetch()} />
      </PageTitle>
      <Intro>{t('text')}</Intro>
      <DataGrid
        {...grid}
        key={scope}
        label={t('title')}
        columns={columns}
        rows={rows}
        keyOf={({ session_id }) => String(session_id)}
        error={query.error}
        onRetry={() => void query.refetch()}
        empty={<EmptyNote title={t('none')} />}
        {...(canEnd ? { bulkActions: endSelected } : {})}
        more={{
          hasMore: query.hasNextPage,
          isBusy: query.isFetchingNextPage,
          onMore: () => void query.fetchNextPage(),
        }}
      >
        {scopes.length > 1 && (
          <SegmentedControl
            label={t('scope.label')}
            value={scope}
            choices={scopes.map((value) => ({ value, label: t(`scope.${value}`) }))}
            onChange={(value) => setSearch(value === 'own' ? {} : { scope: value })}
          />
        )}
      </DataGrid>
      {scope !== 'own' && <EndSessionsSheet scope={scope} sessions={ended} onClose={() => setEnded(null)} />}
    </>
  )
}

function useSessionColumns(
  scope: SessionScope,
  onEnd: ((row: SessionListing) => void) | null,
): readonly GridColumn<SessionListing>[] {
  const t = useTranslations('sessions')
  const language = useLocale()
  return useMemo(() => {
    const instant = (
      name: 'started_at' | 'last_active_at' | 'factor_verified_at',
      isOptional = false,
    ): GridColumn<SessionListing> => {
      const text = (row: SessionListing): string => {
        const at = row[name]
        return at === null ? '–' : formatInstant(at, language, 'dayAndTime')
      }
      return { name, label: t(name), isOptional, text, cell: text }
    }
    const device = ({ user_agent }: SessionListing): string => nameDevice(user_agent) ?? t('unknown_device')
    const named: GridColumn<SessionListing> =
      scope === 'own'
        ? { name: 'device', label: t('device'), isRowName: true, text: device, cell: device }
        : {
            name: 'username',
            label: t('user'),
            isRowName: true,
            text: ({ username }) => username,
            cell: ({ username }) => username,
          }
    return [
      named,
      ...(scope === 'own' ? [] : [{ name: 'device', label: t('device'), text: device, cell: device }]),
      {
        name: 'address',
        label: t('address'),
        text: ({ address }) => address ?? '',
        cell: ({ address }) => address ?? '–',
      },
      instant('started_at'),
      instant('last_active_at'),
      instant('factor_verified_at', scope !== 'own'),
      {
        name: 'state',
        label: t('state'),
        text: ({ ended_at }) =>
          ended_at === null ? t('live') : t('ended', { time: formatInstant(ended_at, language, 'dayAndTime') }),
        cell: (row) => <SessionCell row={row} onEnd={onEnd} />,
        width: 'minmax(11rem, 1.4fr)',
      },
    ]
  }, [t, language, scope, onEnd])
}

/** Whether a session is live, and what ends it. */
function SessionCell({ row, onEnd }: { row: SessionListing; onEnd: ((row: SessionListing) => void) | null }) {
  const t = useTranslations('sessions')
  const language = useLocale()
  const icon = { size: 16, stroke: 2, 'aria-hidden': true } as const
  if (row.ended_at !== null)
    return (
      <Row as="span" inline nowrap gap={8} align="center">
        <IconCircleOff {...icon} />
        {t('ended', { time: formatInstant(row.ended_at, language, 'dayAndTime') })}
      </Row>
    )
  return (
    <Row as="span" inline gap={8} align="center" className="number">
      {row.is_current ? <IconDeviceLaptop {...icon} /> : <IconCircleCheck {...icon} />}
      {t(row.is_current ? 'current' : 'live')}
      {row.is_current && (
        <Button size="sm" variant="default" onClick={() => void endSession()}>
          {t('log_off')}
        </Button>
      )}
      {!row.is_current && onEnd !== null && (
        <Button
          size="sm"
          variant="default"
          tone="bad"
          aria-label={t('end_of', { username: row.username })}
          onClick={() => onEnd(row)}
        >
          {t('end')}
        </Button>
      )}
    </Row>
  )
}
