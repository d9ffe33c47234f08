import type { AuditRow } from '@megalot/contract'
import { useLocale, useTranslations } from 'use-intl'
import { AuditDifferences } from '../../changes/audit/audit-facts.tsx'
import { useAuditWords } from '../../changes/audit/use-audit-words.ts'
import { formatInstant } from '../../../lib/format/dates.ts'
import { DialogSheet } from '../../../ui/dialog-sheet.tsx'
import { Facts } from '../../../ui/layout.tsx'
import { EmptyNote, Skeleton } from '../../../ui/query-view.tsx'
import { AuditSubject } from './audit-subject.tsx'

interface AuditSheetProps {
  /** Null: closed. */
  chain_no: number | null
  rows: readonly AuditRow[] | undefined
  onClose: () => void
}

/** One row of the log with everything that it holds. */
export function AuditSheet({ chain_no, rows, onClose }: AuditSheetProps) {
  const t = useTranslations('audit')
  const { nameAction } = useAuditWords()
  const row = rows?.find((one) => one.chain_no === chain_no)
  return (
    <DialogSheet
      isOpen={chain_no !== null}
      onClose={onClose}
      title={row === undefined ? t('title') : nameAction(row.action)}
    >
      {rows === undefined && <Skeleton count={4} height={44} />}
      {rows !== undefined && row === undefined && <EmptyNote title={t('none')} />}
      {row !== undefined && (
        <>
          <RowFacts row={row} />
          <AuditDifferences row={row} />
        </>
      )}
    </DialogSheet>
  )
}

function RowFacts({ row }: { row: AuditRow }) {
  const t = useTranslations('audit')
  const language = useLocale()
  const { nameSubject, nameUnnamed } = useAuditWords()
  const nameUser = (user: AuditRow['actor']): string =>
    user === null ? nameUnnamed(row) : [user.username, user.display_name].filter((part) => part !== '').join(' · ')
  const facts = [
    [t('at'), formatInstant(row.at, language, 'dayAndTime')],
    [t('actor'), nameUser(row.actor)],
    ...(row.principal === null || row.principal.user_id === row.actor?.user_id
      ? []
      : [[t('principal'), nameUser(row.principal)] as const]),
    [t('address'), row.address ?? t('hidden')],
    [t('subject_name'), <AuditSubject key="subject" subject={row.subject} name={nameSubject(row.subject)} />],
    ...(row.subject_user === null ? [] : [[t('subject_user'), nameUser(row.subject_user)] as const]),
    ...(row.reason === null ? [] : [[t('reason'), row.reason] as const]),
    [t('chain_no'), String(row.chain_no)],
    [t('hash'), row.hash],
  ] as const
  return <Facts facts={facts} below={12} />
}
