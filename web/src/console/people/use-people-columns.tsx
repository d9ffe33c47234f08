import type { Person } from '@megalot/contract'
import IconChevronDown from '~icons/chevron-down'
import IconChevronRight from '~icons/chevron-right'
import { useMemo } from 'react'
import type { CSSProperties, ReactNode } from 'react'
import { useLocale, useTranslations } from 'use-intl'
import { formatInstant } from '../../lib/format/dates.ts'
import { formatBaht, formatCount, formatSignedBaht } from '../../lib/format/money.ts'
import type { GridColumn } from '../../ui/grid/grid-column.ts'
import { StatusText } from '../lists/status-text.tsx'
import type { ChangeKind } from './change-task.ts'
import { Balance } from '../money/balance.tsx'
import classes from './people.module.css'

/** A user in the list, or at its place in the tree. */
export interface PersonRow extends Person {
  depth: number
  /** Whether those below are shown; null: there are none, or this is the list. */
  isOpen: boolean | null
  /** How many directly below are not loaded yet. */
  unloaded: number
}

export interface PeopleActions {
  onChange: (kind: ChangeKind, person: Person) => void
  onToggle: (person: Person) => void
  onLoadMore: (person: Person) => void
  mayChangeStatus: boolean
  mayChangeCredit: boolean
  mayViewCredit: boolean
  mayViewNet: boolean
  mayViewMoney: boolean
  mayViewTickets: boolean
  mayViewPackages: boolean
}

/** Satang as a spreadsheet reads an amount; empty where the caller may not view it. */
function plainBaht(satang: number | null): string {
  return satang === null ? '' : (satang / 100).toFixed(2)
}

function shownAmount(satang: number | null, write = formatBaht): string {
  return satang === null ? '–' : write(satang)
}

function shownCount(count: number | null): string {
  return count === null ? '–' : formatCount(count)
}

type Money = 'credit_limit_satang' | 'credit_used_satang' | 'credit_remain_satang' | 'held_satang' | 'balance_satang'
type Count = 'member_count' | 'agent_count' | 'package_count'

function PersonName({ row, actions }: { row: PersonRow; actions: PeopleActions }) {
  const t = useTranslations('people')
  const Icon = row.isOpen === true ? IconChevronDown : IconChevronRight
  return (
    <span className={classes.name} style={{ '--depth': row.depth } as CSSProperties}>
      {row.isOpen !== null && (
        <button
          type="button"
          className={classes.toggle}
          tabIndex={-1}
          aria-label={t(row.isOpen ? 'collapse' : 'expand', { name: row.username })}
          onClick={() => actions.onToggle(row)}
        >
          <Icon size={18} stroke={1.75} aria-hidden="true" />
        </button>
      )}
      <span>{row.username}</span>
      {row.unloaded > 0 && (
        <button type="button" className={classes.more} onClick={() => actions.onLoadMore(row)}>
          {t('more_below', { count: row.unloaded })}
        </button>
      )}
    </span>
  )
}

function EditButton({ label, onPress, children }: { label: string; onPress: () => void; children: ReactNode }) {
  return (
    <button type="button" className={classes.cellButton} tabIndex={-1} title={label} onClick={onPress}>
      <span className={classes.editable}>{children}</span>
      <span className="visually-hidden"> · {label}</span>
    </button>
  )
}

/** The columns of the people that the caller may view, of which status and credit limit are changed in place. */
export function usePeopleColumns(actions: PeopleActions): readonly GridColumn<PersonRow>[] {
  const t = useTranslations('people')
  const ofUser = useTranslations('user')
  const language = useLocale()
  return useMemo(() => {
    const moment = (at: string | null): string => (at === null ? t('never') : formatInstant(at, language, 'dayAndTime'))
    const money = (name: Money, isOptional = false): GridColumn<PersonRow> => ({
      name,
      label: t(`column.${name}`),
      isFigure: true,
      isOptional,
      // Wide enough for the company's amounts.
      width: 'minmax(7rem, 1fr)',
      text: (row) => plainBaht(row[name]),
      cell: (row) => shownAmount(row[name]),
    })
    const count = (name: Count, isOptional = false): GridColumn<PersonRow> => ({
      name,
      label: t(`column.${name}`),
      isFigure: true,
      isOptional,
      width: 'minmax(4.5rem, 0.7fr)',
      text: (row) => String(row[name] ?? ''),
      cell: (row) => shownCount(row[name]),
    })
    const text = (
      name: 'display_name' | 'level' | 'parent_username' | 'agent_code' | 'tags',
      read: (row: PersonRow) => string,
      more: Partial<GridColumn<PersonRow>> = {},
    ): GridColumn<PersonRow> => ({
      name,
      label: t(`column.${name}`),
      text: read,
      cell: (row) => read(row) || '–',
      ...more,
    })
    const time = (
      name: 'created_at' | 'last_log_in_at' | 'last_bet_at',
      isOptional: boolean,
    ): GridColumn<PersonRow> => ({
      name,
      label: t(`column.${name}`),
      isSortable: true,
      isOptional,
      width: 'minmax(7.5rem, 1fr)',
      text: (row) => moment(row[name]),
      cell: (row) => moment(row[name]),
    })
    const ofCredit: GridColumn<PersonRow>[] = [
      {
        ...money('credit_limit_satang'),
        isSortable: true,
        cell: (row) =>
          actions.mayChangeCredit && row.parent_id !== null ? (
            <EditButton
              label={t('edit.credit', { name: row.username })}
              onPress={() => actions.onChange('credit', row)}
            >
              {shownAmount(row.credit_limit_satang)}
            </EditButton>
          ) : (
            shownAmount(row.credit_limit_satang)
          ),
      },
      { ...money('credit_used_satang', true), isSortable: true },
      money('held_satang', true),
      money('credit_remain_satang'),
      money('balance_satang', true),
    ]
    const net: GridColumn<PersonRow> = {
      name: 'net_7_days_satang',
      label: t('column.net_7_days_satang'),
      isFigure: true,
      isSortable: true,
      text: ({ net_7_days_satang }) => plainBaht(net_7_days_satang),
      cell: ({ net_7_days_satang }) => shownAmount(net_7_days_satang, formatSignedBaht),
    }
    const owed: GridColumn<PersonRow> = {
      name: 'owed_satang',
      label: t('column.owed_satang'),
      isFigure: true,
      isSortable: true,
      text: ({ owed_satang }) => plainBaht(owed_satang),
      cell: ({ owed_satang }) => (owed_satang === null ? '–' : <Balance satang={owed_satang} />),
    }
    return [
      {
        name: 'username',
        label: t('column.username'),
        isRowName: true,
        isSortable: true,
        width: 'minmax(8rem, 1.6fr)',
        text: ({ username }) => username,
        cell: (row) => <PersonName row={row} actions={actions} />,
      },
      text('display_name', ({ display_name }) => display_name, { isSortable: true }),
      text('level', ({ level }) => ofUser(`level.${level}`), { width: 'minmax(5rem, 1fr)' }),
      text('parent_username', ({ parent_username }) => parent_username ?? '', { isOptional: true }),
      count('member_count'),
      count('agent_count', true),
      {
        // The effective status may come from an upline. The user's own status is an optional column.
        name: 'status',
        label: t('column.status'),
        width: 'minmax(6.5rem, 1fr)',
        text: ({ status }) => ofUser(`status.${status}`),
        cell: (row) =>
          actions.mayChangeStatus && row.parent_id !== null ? (
            <EditButton
              label={t('edit.status', { name: row.username })}
              onPress={() => actions.onChange('status', row)}
            >
              <StatusText status={row.status} />
            </EditButton>
          ) : (
            <StatusText status={row.status} />
          ),
      },
      {
        name: 'own_status',
        label: t('column.own_status'),
        isOptional: true,
        width: 'minmax(7rem, 1fr)',
        text: ({ own_status }) => ofUser(`status.${own_status}`),
        cell: ({ own_status }) => <StatusText status={own_status} />,
      },
      ...(actions.mayViewCredit ? ofCredit : []),
      ...(actions.mayViewMoney ? [owed] : []),
      ...(actions.mayViewNet ? [net] : []),
      ...(actions.mayViewPackages ? [count('package_count', true)] : []),
      ...(actions.mayViewTickets ? [time('last_bet_at', true)] : []),
      time('last_log_in_at', false),
      {
        name: 'is_online',
        label: t('column.is_online'),
        isOptional: true,
        width: 'minmax(5rem, 0.6fr)',
        text: ({ is_online }) => t(is_online ? 'online' : 'offline'),
        cell: ({ is_online }) => (
          <span className={is_online ? classes.online : classes.dim}>{t(is_online ? 'online' : 'offline')}</span>
        ),
      },
      text('agent_code', ({ agent_code }) => agent_code ?? '', { isOptional: true }),
      text('tags', ({ tags }) => tags.join(', '), { isOptional: true }),
      time('created_at', true),
    ]
  }, [t, ofUser, language, actions])
}
