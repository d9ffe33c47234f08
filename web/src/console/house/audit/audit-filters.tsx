import { useTranslations } from 'use-intl'
import { auditActions } from '../../changes/audit/audit-actions.ts'
import { useAuditWords } from '../../changes/audit/use-audit-words.ts'
import { username } from '../../../lib/search/search-of.ts'
import { Button } from '../../../ui/button.tsx'
import { DayField } from '../../../ui/day-field.tsx'
import { SelectField } from '../../../ui/select-field.tsx'
import { TextInput } from '../../../ui/text-input.tsx'
import classes from '../../lists/lists.module.css'
import type { AuditSearch } from './audit-search.ts'
import { useTypedFilter } from '../../../lib/forms/use-typed-filter.ts'

interface AuditFiltersProps {
  search: AuditSearch
  onSearch: (search: AuditSearch) => void
}

type Name = 'date_from' | 'date_to' | 'actor' | 'subject_user' | 'action'

/** Each part narrows the list; all of them stand in the address. */
export function AuditFilters({ search, onSearch }: AuditFiltersProps) {
  const t = useTranslations('audit.filter')
  const { nameAction } = useAuditWords()
  const set = (name: Name, value: string | undefined): void => {
    const { [name]: _before, row: _row, ...rest } = search
    onSearch(value === undefined || value === '' ? rest : { ...rest, [name]: value })
  }
  const chosen = search.action ?? ''
  const isKnown = auditActions.some((action) => action === chosen)
  const hasFilter = (['date_from', 'date_to', 'actor', 'subject_user', 'action', 'principal', 'subject'] as const).some(
    (name) => search[name] !== undefined,
  )
  return (
    <search className={classes.fields} aria-label={t('label')}>
      <DayField
        label={t('from')}
        value={search.date_from}
        max={search.date_to}
        onChange={(day) => set('date_from', day)}
      />
      <DayField label={t('to')} value={search.date_to} min={search.date_from} onChange={(day) => set('date_to', day)} />
      <NameFilter label={t('actor')} value={search.actor} onFilter={(name) => set('actor', name)} />
      <NameFilter
        label={t('subject_user')}
        value={search.subject_user}
        onFilter={(name) => set('subject_user', name)}
      />
      <SelectField
        label={t('action')}
        value={chosen}
        choices={[
          { value: '', label: t('any') },
          ...(chosen === '' || isKnown ? [] : [{ value: chosen, label: nameAction(chosen) }]),
          ...auditActions.map((action) => ({ value: action as string, label: nameAction(action) })),
        ]}
        onChange={(action) => set('action', action)}
      />
      {hasFilter && (
        <Button
          variant="subtle"
          onClick={() =>
            onSearch({
              ...(search.sort === undefined ? {} : { sort: search.sort }),
              ...(search.columns === undefined ? {} : { columns: search.columns }),
            })
          }
        >
          {t('clear')}
        </Button>
      )}
    </search>
  )
}

interface NameFilterProps {
  label: string
  value: string | undefined
  onFilter: (name: string) => void
}

/** A whole username. */
function NameFilter({ label, value, onFilter }: NameFilterProps) {
  const t = useTranslations('audit.filter')
  const filter = useTypedFilter(value, (text) => {
    if (text === '' || username(text) !== undefined) onFilter(text)
  })
  const isWrong = filter.value.trim() !== '' && username(filter.value) === undefined
  return (
    <TextInput
      type="search"
      label={label}
      error={isWrong ? t('problem') : null}
      maxLength={255}
      autoCapitalize="off"
      spellCheck={false}
      {...filter}
    />
  )
}
