import type { AwardEntries } from '@megalot/contract'
import { useTranslations } from 'use-intl'
import { useChange } from '../../../lib/api/use-change.ts'
import { Alert } from '../../../ui/alert.tsx'
import table from '../../../ui/table.module.css'
import { removeEntries } from './award-queries.ts'
import classes from './results.module.css'
import { ReasonForm } from '../../../ui/reason-form.tsx'
import { nameOf, type ResultShown, shownFields, writeField } from './result-fields.ts'
import { useResultText } from './use-result-text.ts'

/** The people who have entered a result. Shows the numbers only if two entries differ, with the differences highlighted. */
export function AwardEntriesNote({ entries }: { entries: AwardEntries }) {
  const t = useTranslations('results.entries')
  const writeResult = useResultText()
  const { isBusy, failure, run } = useChange(removeEntries)
  const { state, period_code, entered_by, is_own, own_result, needs_other } = entries
  if (state === 'none' || state === 'agreed') return null
  const remove = (reason: string): void => void run({ period_code, reason })
  const form = <ReasonForm action={t('remove')} isBusy={isBusy} failure={failure} onSend={remove} />
  if (state === 'entered')
    return (
      <Alert kind="plain">
        {is_own ? t('own') : t(needs_other ? 'of_same_person' : 'of_another', { username: entered_by ?? '' })}
        {own_result !== null && <p data-testid="own-result">{t('own_result', { result: writeResult(own_result) })}</p>}
        {needs_other && (
          <details>
            <summary>{t('mistyped')}</summary>
            {form}
          </details>
        )}
      </Alert>
    )
  return (
    <section className={classes.preview} aria-label={t('differ')} data-testid="award-entries">
      <Alert kind="bad" title={t('differ')}>
        {t('differ_hint')}
      </Alert>
      {entries.entries !== null && <EntryTable {...entries} pair={entries.entries} />}
      {form}
    </section>
  )
}

function EntryTable({
  pair,
  entered_by,
  repeated_by,
}: AwardEntries & { pair: { first: ResultShown; repeated: ResultShown } }) {
  const t = useTranslations('results.entries')
  const fields = useTranslations('results.field')
  return (
    <table className={table.table}>
      <thead>
        <tr>
          <th scope="col">{t('field')}</th>
          <th scope="col">{entered_by}</th>
          <th scope="col">{repeated_by}</th>
        </tr>
      </thead>
      <tbody>
        {shownFields
          .map((name) => ({ name, one: writeField(pair.first, name), other: writeField(pair.repeated, name) }))
          .filter(({ one, other }) => one !== '' || other !== '')
          .map(({ name, one, other }) => (
            <tr key={name} data-differs={one !== other || undefined} className={classes.entry}>
              <th scope="row">
                {fields(nameOf(pair.first, name))}
                {one !== other && ` · ${t('differs')}`}
              </th>
              <td>{one}</td>
              <td>{other}</td>
            </tr>
          ))}
      </tbody>
    </table>
  )
}
