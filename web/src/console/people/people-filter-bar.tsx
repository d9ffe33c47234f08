import { useLocale, useTranslations } from 'use-intl'
import { useUser } from '../../lib/user/user-query.ts'
import { SegmentedControl } from '../../ui/segmented-control.tsx'
import { SelectField } from '../../ui/select-field.tsx'
import { TextInput } from '../../ui/text-input.tsx'
import { Button } from '../../ui/button.tsx'
import { FoldedFields } from '../lists/folded-fields.tsx'
import pages from '../lists/lists.module.css'
import { permissionsOf } from '../menu.ts'
import type { PeopleSearch } from './people-search.ts'
import { useTypedFilter } from '../../lib/forms/use-typed-filter.ts'
import { useNames } from '../../shared/markets/use-names.ts'
import { packageKeyOf } from '../money/rates/queries.ts'
import { usePackageChoices } from '../money/rates/use-package-choices.ts'

const levels = ['company', 'super_senior', 'senior', 'master', 'agent', 'member'] as const
const statuses = ['NORMAL', 'DISABLED_BET', 'SUSPENDED'] as const

interface PeopleFilterBarProps {
  search: PeopleSearch
  onSearch: (search: PeopleSearch) => void
}

type Filter =
  | 'search'
  | 'level'
  | 'status'
  | 'is_online'
  | 'package'
  | 'agent_code'
  | 'tag'
  | 'used'
  | 'net'
  | 'owed'
  | 'idle_days'
  | 'form'

/** Behind one button on a phone. */
const folded = ['level', 'status', 'is_online', 'used', 'net', 'owed', 'idle_days', 'package'] as const

/** List or tree, and what narrows the list. */
export function PeopleFilterBar({ search, onSearch }: PeopleFilterBarProps) {
  const t = useTranslations('people.filter')
  const ofUser = useTranslations('user')
  const user = useUser()
  const own = user.level
  const permissions = permissionsOf(user)
  // A user of the line is below its viewer: whose line has one level alone has nothing to choose.
  const levelsBelow = levels.slice(levels.indexOf(own) + 1)
  const set = (name: Filter, value: string): void => {
    const { [name]: _before, ...rest } = search
    onSearch(value === '' ? rest : { ...rest, [name]: value })
  }
  const typed = useTypedFilter(search.search, (text) => set('search', text))
  const any = { value: '', label: t('any') }
  return (
    <search className={pages.filters}>
      <SegmentedControl
        label={t('form')}
        value={search.form ?? 'list'}
        choices={(['list', 'tree'] as const).map((value) => ({ value, label: t(value) }))}
        onChange={(form) => set('form', form === 'tree' ? 'tree' : '')}
      />
      {search.form !== 'tree' && (
        <>
          <TextInput
            type="search"
            label={t('search')}
            maxLength={100}
            autoCapitalize="off"
            className={pages.filter}
            {...typed}
          />
          <FoldedFields count={folded.filter((name) => search[name] !== undefined).length}>
            {levelsBelow.length > 1 && (
              <SelectField
                label={t('level')}
                value={search.level ?? ''}
                choices={[any, ...levelsBelow.map((value) => ({ value, label: ofUser(`level.${value}`) }))]}
                onChange={(level) => set('level', level)}
              />
            )}
            <SelectField
              label={t('status')}
              value={search.status ?? ''}
              choices={[any, ...statuses.map((value) => ({ value, label: ofUser(`status.${value}`) }))]}
              onChange={(status) => set('status', status)}
            />
            <SelectField
              label={t('is_online')}
              value={search.is_online ?? ''}
              choices={[any, { value: 'true', label: t('online') }, { value: 'false', label: t('offline') }]}
              onChange={(is_online) => set('is_online', is_online)}
            />
            {permissions.has('credit.view') && (
              <SelectField
                label={t('used')}
                value={search.used ?? ''}
                choices={[any, ...(['some', 'most'] as const).map((value) => ({ value, label: t(`used_${value}`) }))]}
                onChange={(used) => set('used', used)}
              />
            )}
            {permissions.has('reports.view') && (
              <SelectField
                label={t('net')}
                value={search.net ?? ''}
                choices={[any, ...(['won', 'lost'] as const).map((value) => ({ value, label: t(`net_${value}`) }))]}
                onChange={(net) => set('net', net)}
              />
            )}
            {permissions.has('money.view') && (
              <SelectField
                label={t('owed')}
                value={search.owed ?? ''}
                choices={[any, ...(['collect', 'pay'] as const).map((value) => ({ value, label: t(`owed_${value}`) }))]}
                onChange={(owed) => set('owed', owed)}
              />
            )}
            {permissions.has('tickets.view') && (
              <SelectField
                label={t('idle')}
                value={search.idle_days ?? ''}
                choices={[
                  any,
                  ...(['7', '30'] as const).map((value) => ({ value, label: t('idle_days', { days: value }) })),
                ]}
                onChange={(idle_days) => set('idle_days', idle_days)}
              />
            )}
            {permissions.has('terms.view') && (
              <PackageField value={search.package ?? ''} onChange={(chosen) => set('package', chosen)} />
            )}
          </FoldedFields>
          {search.tag !== undefined && (
            <Button variant="light" onClick={() => set('tag', '')}>
              {t('clear_tag', { tag: search.tag })}
            </Button>
          )}
          {search.agent_code !== undefined && (
            <Button variant="light" onClick={() => set('agent_code', '')}>
              {t('clear_code', { code: search.agent_code })}
            </Button>
          )}
        </>
      )}
    </search>
  )
}

function PackageField({ value, onChange }: { value: string; onChange: (chosen: string) => void }) {
  const t = useTranslations('people.filter')
  const language = useLocale()
  const packages = usePackageChoices() ?? []
  const { marketName: nameOfMarket } = useNames()
  return (
    <SelectField
      label={t('package')}
      value={value}
      choices={[
        { value: '', label: t('any') },
        ...packages
          .map((one) => ({ value: packageKeyOf(one), label: `${nameOfMarket(one.product_code)} · ${one.name}` }))
          .toSorted((one, other) => one.label.localeCompare(other.label, language)),
      ]}
      onChange={onChange}
    />
  )
}
