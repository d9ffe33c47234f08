import type { AuditRow } from '@megalot/contract'
import { useTranslations } from 'use-intl'
import { Text } from '../../../ui/layout.tsx'
import table from '../../../ui/table.module.css'
import classes from './audit.module.css'
import { listRowDifferences } from './differences.ts'
import { useAuditWords } from './use-audit-words.ts'

/** The differences in a row by field, before and after. The stored JSON is a tap away. */
export function AuditDifferences({ row }: { row: Pick<AuditRow, 'before' | 'after' | 'usernames'> }) {
  const t = useTranslations('audit')
  const { nameField, nameValue } = useAuditWords()
  const differences = listRowDifferences(row)
  if (differences.length === 0) return <Text tone="dim">{t('no_change')}</Text>
  return (
    <>
      <div className={table.scroll}>
        <table className={table.table}>
          <thead>
            <tr>
              <th scope="col">{t('what')}</th>
              <th scope="col">{t('before')}</th>
              <th scope="col">{t('after')}</th>
            </tr>
          </thead>
          <tbody>
            {differences.map(({ path, before, after, isChanged }) => (
              <tr key={path.join('.')} data-changed={isChanged || undefined}>
                <th scope="row">{path.map((name) => nameField(name)).join(' › ') || t('value')}</th>
                <td className={isChanged ? classes.before : classes.value}>{nameValue(path, before)}</td>
                <td className={isChanged ? classes.after : classes.value}>{nameValue(path, after)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <details className={classes.stored}>
        <summary>{t('stored')}</summary>
        <pre>{JSON.stringify({ before: row.before ?? null, after: row.after ?? null }, null, 2)}</pre>
      </details>
    </>
  )
}
