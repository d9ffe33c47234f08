import type { FileFormat, ReportFileBody } from '@megalot/contract'
import IconFileSpreadsheet from '~icons/file-spreadsheet'
import { showToast } from '../../lib/feedback/toast.ts'
import { useSend } from '../../lib/forms/use-send.ts'
import { useUser } from '../../lib/user/user-query.ts'
import { Button } from '../../ui/button.tsx'
import { permissionsOf } from '../menu.ts'
import { requestReportFile } from './downline/report-files.ts'

interface MoneyFileButtonsProps {
  body: Omit<ReportFileBody, 'request_id' | 'format'>
  formats: readonly FileFormat[]
}

/** Saves payments or a statement as a file. Files belong to the area of reports. */
export function MoneyFileButtons({ body, formats }: MoneyFileButtonsProps) {
  const mayWrite = permissionsOf(useUser()).has('reports.view')
  const { isBusy, run } = useSend(
    (format: FileFormat) => requestReportFile(body, format),
    (failure) => showToast('bad', failure),
  )
  if (!mayWrite) return null
  return formats.map((format) => (
    <Button
      key={format}
      size="sm"
      variant="default"
      icon={<IconFileSpreadsheet size={18} stroke={1.75} aria-hidden="true" />}
      disabled={isBusy}
      onClick={() => void run(format)}
    >
      {format.toUpperCase()}
    </Button>
  ))
}
