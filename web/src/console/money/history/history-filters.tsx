import { useTranslations } from 'use-intl'
import { useTypedFilter } from '../../../lib/forms/use-typed-filter.ts'
import { useUser } from '../../../lib/user/user-query.ts'
import { Button } from '../../../ui/button.tsx'
import { Checkbox } from '../../../ui/checkbox.tsx'
import { DayField } from '../../../ui/day-field.tsx'
import { SegmentedControl } from '../../../ui/segmented-control.tsx'
import { SelectField } from '../../../ui/select-field.tsx'
import { TextInput } from '../../../ui/text-input.tsx'
import { FoldedFields } from '../../lists/folded-fields.tsx'
import lists from '../../lists/lists.module.css'
import { paymentMethods, useMethodWords } from '../balance.tsx'
import type { HistorySearch } from './history-search.ts'

const kinds = ['received', 'paid', 'adjustment', 'reversal'] as const

interface HistoryFiltersProps {
  search: HistorySearch
  onSearch: (search: HistorySearch) => void
}

/** Each part narrows the list; all of them stand in the address. */
export function HistoryFilters({ search, onSearch }: HistoryFiltersProps) {
  const t = useTranslations('history')
  const methods = useMethodWords()
  const { is_office } = useUser()
  const set = <Name extends keyof HistorySearch>(name: Name, value: HistorySearch[Name] | undefined): void => {
    const { [name]: _before, row: _row, ...rest } = search
    onSearch(value === undefined ? rest : { ...rest, [name]: value })
  }
  const typedName = useTypedFilter(search.search, (name) => set('search', name === '' ? undefined : name))
  const { date_from, date_to, kind, method, search: name, is_disputed, user_id } = search
  const hasFilter = [date_from, date_to, kind, method, name, is_disputed, user_id].some((value) => value !== undefined)
  return (
    <>
      {!is_office && (
        <SegmentedControl
          label={t('side.label')}
          value={search.side ?? 'below'}
          choices={(['below', 'above'] as const).map((value) => ({ value, label: t(`side.${value}`) }))}
          onChange={(side) => onSearch(side === 'below' ? {} : { side })}
        />
      )}
      <search className={lists.fields} aria-label={t('filter.label')}>
        {search.side !== 'above' && (
          <TextInput type="search" label={t('filter.search')} maxLength={100} {...typedName} />
        )}
        <FoldedFields count={[date_from, date_to, kind, method].filter((value) => value !== undefined).length}>
          <DayField
            label={t('filter.from')}
            value={date_from}
            max={date_to}
            onChange={(day) => set('date_from', day)}
          />
          <DayField label={t('filter.to')} value={date_to} min={date_from} onChange={(day) => set('date_to', day)} />
          <SelectField
            label={t('filter.kind')}
            value={kind ?? ''}
            choices={[
              { value: '' as const, label: t('filter.any') },
              ...kinds.map((value) => ({ value, label: t(`kind.${value}`) })),
            ]}
            onChange={(value) => set('kind', value === '' ? undefined : value)}
          />
          <SelectField
            label={t('filter.method')}
            value={method ?? ''}
            choices={[
              { value: '' as const, label: t('filter.any') },
              ...paymentMethods.map((value) => ({ value, label: methods[value] })),
            ]}
            onChange={(value) => set('method', value === '' ? undefined : value)}
          />
        </FoldedFields>
        {hasFilter && (
          <Button variant="subtle" onClick={() => onSearch(search.side === undefined ? {} : { side: search.side })}>
            {t('filter.clear')}
          </Button>
        )}
      </search>
      <Checkbox
        label={t('filter.disputed')}
        isChecked={is_disputed === true}
        onChange={(isChecked) => set('is_disputed', isChecked ? true : undefined)}
      />
    </>
  )
}
