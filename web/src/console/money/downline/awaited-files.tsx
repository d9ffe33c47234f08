import type { ReportFile } from '@megalot/contract'
import { useQuery } from '@tanstack/react-query'
import { useTranslations } from 'use-intl'
import { showToast } from '../../../lib/feedback/toast.ts'
import { useSend } from '../../../lib/forms/use-send.ts'
import { Alert } from '../../../ui/alert.tsx'
import { Button } from '../../../ui/button.tsx'
import { Row } from '../../../ui/layout.tsx'
import { useFileProgress } from './file-tools.tsx'
import classes from './downline.module.css'
import { dropAwaitedFile, useAwaitedFiles } from './awaited-files-store.ts'
import { reportFilesQuery, saveReportFile } from './report-files.ts'

const kindOf = { waiting: 'plain', writing: 'plain', ready: 'good', failed: 'bad' } as const

/** On every page: how far the files are that somebody waits for, and that they are ready. */
export function AwaitedFiles() {
  const file_ids = useAwaitedFiles((state) => state.file_ids)
  const { data: files = [] } = useQuery(reportFilesQuery)
  return files
    .filter(({ file_id }) => file_ids.includes(file_id))
    .map((file) => <AwaitedFile key={file.file_id} file={file} />)
}

function AwaitedFile({ file }: { file: ReportFile }) {
  const t = useTranslations('downline.files')
  const progressOf = useFileProgress()
  const action = useSend(saveReportFile, (failure) => showToast('bad', failure))
  const { file_id, filename, state, rows_done, row_count } = file
  const save = async (): Promise<void> => {
    if (await action.run(file)) dropAwaitedFile(file_id)
  }
  return (
    <Alert kind={kindOf[state]}>
      <Row gap={[4, 16]} align="center" className={classes.awaited}>
        <p>
          {filename} · {progressOf(file)}
        </p>
        {state === 'writing' && (
          <progress aria-label={filename} {...(row_count === null ? {} : { value: rows_done, max: row_count })} />
        )}
        {state === 'ready' && (
          <Button size="sm" isBusy={action.isBusy} onClick={() => void save()}>
            {t('save')}
            <span className="visually-hidden"> {filename}</span>
          </Button>
        )}
        {(state === 'ready' || state === 'failed') && (
          <Button size="sm" variant="subtle" onClick={() => dropAwaitedFile(file_id)}>
            {t('dismiss')}
            <span className="visually-hidden"> {filename}</span>
          </Button>
        )}
      </Row>
    </Alert>
  )
}
