import type { FileFormat, ReportFile } from '@megalot/contract'
import IconDownload from '~icons/download'
import IconFileSpreadsheet from '~icons/file-spreadsheet'
import IconPrinter from '~icons/printer'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useLocale, useTranslations } from 'use-intl'
import { showToast } from '../../../lib/feedback/toast.ts'
import { formatInstant } from '../../../lib/format/dates.ts'
import { useSend } from '../../../lib/forms/use-send.ts'
import { Button } from '../../../ui/button.tsx'
import { Stack } from '../../../ui/layout.tsx'
import classes from './downline.module.css'
import type { DownlineSearch } from './downline-search.ts'
import { reportFilesQuery, requestFile, saveReportFile } from './report-files.ts'

/** The whole report as a file, and on paper. */
export function FileTools({ search }: { search: DownlineSearch }) {
  const t = useTranslations('downline.files')
  const navigate = useNavigate()
  const action = useSend(
    (format: FileFormat) => requestFile(search, format),
    (failure) => showToast('bad', failure),
  )
  const button = (format: FileFormat) => (
    <Button
      variant="default"
      size="sm"
      icon={<IconFileSpreadsheet size={18} stroke={1.75} aria-hidden="true" />}
      disabled={action.isBusy}
      onClick={() => void action.run(format)}
    >
      {format.toUpperCase()}
    </Button>
  )
  return (
    <>
      {button('xlsx')}
      {button('csv')}
      <Button
        variant="default"
        size="sm"
        icon={<IconPrinter size={18} stroke={1.75} aria-hidden="true" />}
        onClick={() => void navigate({ to: '/print/downline', search })}
      >
        <span className={classes.tool}>{t('print')}</span>
      </Button>
    </>
  )
}

/** How far a file is, in words. */
export function useFileProgress(): (file: ReportFile) => string {
  const t = useTranslations('downline.files')
  return ({ state, rows_done, row_count }) => {
    if (state !== 'writing') return t(`state.${state}`)
    return row_count === null ? t('rows', { done: rows_done }) : t('rows_of', { done: rows_done, count: row_count })
  }
}

/** The files of the last day. */
export function FileList() {
  const t = useTranslations('downline.files')
  const language = useLocale()
  const progressOf = useFileProgress()
  const { data: files = [] } = useQuery(reportFilesQuery)
  const action = useSend(saveReportFile, (failure) => showToast('bad', failure))
  if (files.length === 0) return null
  return (
    <details className={classes.files}>
      <summary>{t('title', { count: files.length })}</summary>
      <ul>
        {files.map((file) => (
          <li key={file.file_id}>
            <Stack as="span" className={classes.file}>
              {file.filename}
              <small>
                {formatInstant(file.created_at, language, 'dayAndTime')} · {progressOf(file)}
              </small>
            </Stack>
            {file.state === 'ready' && (
              <Button
                variant="subtle"
                size="sm"
                icon={<IconDownload size={18} stroke={1.75} aria-hidden="true" />}
                disabled={action.isBusy}
                onClick={() => void action.run(file)}
              >
                {t('save')}
                <span className="visually-hidden"> {file.filename}</span>
              </Button>
            )}
          </li>
        ))}
      </ul>
    </details>
  )
}
