import type { StaffUser } from '@megalot/contract'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useMemo } from 'react'
import { useLocale, useTranslations } from 'use-intl'
import { staffQuery } from '../../changes/queries.ts'
import { formatInstant } from '../../../lib/format/dates.ts'
import { useUser } from '../../../lib/user/user-query.ts'
import { Button } from '../../../ui/button.tsx'
import { DataGrid } from '../../../ui/grid/data-grid.tsx'
import type { GridColumn } from '../../../ui/grid/grid-column.ts'
import { Row } from '../../../ui/layout.tsx'
import { PageTitle } from '../../../ui/page-title.tsx'
import { EmptyNote } from '../../../ui/query-view.tsx'
import { RefreshButton } from '../../../ui/refresh-button.tsx'
import { StatusText } from '../../lists/status-text.tsx'
import { permissionsOf } from '../../menu.ts'
import type { StaffSearch } from './staff-search.ts'
import { useGridState } from '../../lists/use-grid-state.ts'
import { NewStaffSheet } from './new-staff-sheet.tsx'
import { StaffSheet } from './staff-sheet.tsx'
import { useDutyOf } from './use-duty-of.ts'

const route = getRouteApi('/main/staff')

/** Office users and assistants: what each may do, whether it is switched on, and when it was last here. */
export function StaffPage() {
  const t = useTranslations('staff')
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const setSearch = (next: StaffSearch): void => void navigate({ search: next, replace: true })
  const user = useUser()
  const canChange = permissionsOf(user).has('staff.do')
  const query = useQuery(staffQuery)
  const columns = useStaffColumns()
  const grid = useGridState({ list: 'staff', columns, search, onSearch: setSearch })
  const { user: _user, add: _add, ...closed } = search
  const open = query.data?.find(({ username }) => username === search.user) ?? null
  return (
    <>
      <PageTitle title={t('title')}>
        <RefreshButton isBusy={query.isRefetching} onRefresh={() => void query.refetch()} />
      </PageTitle>
      <DataGrid
        {...grid}
        label={t('title')}
        columns={columns}
        rows={query.data}
        keyOf={({ user_id }) => String(user_id)}
        error={query.error}
        onRetry={() => void query.refetch()}
        empty={
          <EmptyNote title={t('none')}>
            <p>{t('none_text')}</p>
          </EmptyNote>
        }
        onOpen={({ username }) => setSearch({ ...closed, user: username })}
      >
        {canChange && (
          <Row gap={8}>
            <Button size="sm" onClick={() => setSearch({ ...closed, add: 'assistant' })}>
              {t('new_assistant')}
            </Button>
            {user.is_office && (
              <Button size="sm" variant="default" onClick={() => setSearch({ ...closed, add: 'office' })}>
                {t('new_office')}
              </Button>
            )}
          </Row>
        )}
      </DataGrid>
      <StaffSheet staff={open} onClose={() => setSearch(closed)} />
      {canChange && <NewStaffSheet kind={search.add ?? null} onClose={() => setSearch(closed)} />}
    </>
  )
}

function useStaffColumns(): readonly GridColumn<StaffUser>[] {
  const t = useTranslations('staff')
  const ofUser = useTranslations('user')
  const language = useLocale()
  const dutyOf = useDutyOf()
  return useMemo(() => {
    const lastSeen = ({ last_log_in_at }: StaffUser): string =>
      last_log_in_at === null ? t('never') : formatInstant(last_log_in_at, language, 'dayAndTime')
    const text = (name: string, label: string, read: (staff: StaffUser) => string): GridColumn<StaffUser> => ({
      name,
      label,
      text: read,
      cell: read,
    })
    return [
      { ...text('username', t('username'), ({ username }) => username), isRowName: true },
      text('display_name', t('display_name'), ({ display_name }) => display_name || '–'),
      { ...text('duty', t('kind'), dutyOf), width: 'minmax(10rem, 2fr)' },
      text('principal', t('principal'), ({ principal }) => principal?.username ?? '–'),
      {
        name: 'status',
        label: t('status'),
        text: ({ status }) => ofUser(`status.${status}`),
        cell: ({ status }) => <StatusText status={status} />,
      },
      text('last_log_in_at', t('last_log_in_at'), lastSeen),
      text('session', t('session'), ({ has_session }) => t(has_session ? 'online' : 'offline')),
    ]
    // The words of duties change with the language alone.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [t, ofUser, language])
}
