import { Button } from '../../ui/button.tsx'
import { Row } from '../../ui/layout.tsx'
import IconFileSpreadsheet from '~icons/file-spreadsheet'
import IconPrinter from '~icons/printer'
import { useNavigate } from '@tanstack/react-router'
import { useTranslations } from 'use-intl'
import { useSend } from '../../lib/forms/use-send.ts'
import { saveText } from '../../lib/device/save-file.ts'
import { showToast } from '../../lib/feedback/toast.ts'
import { RefreshButton } from '../../ui/refresh-button.tsx'
import type { ReportSearch } from './report-search.ts'

interface ReportToolsProps {
  kind: 'win-loss' | 'balance' | 'summary'
  search: ReportSearch
  isBusy: boolean
  onRefresh: () => void
  /** Absent: this report has no file. */
  fetchFile?: () => Promise<{ filename: string; text: string }>
}

/** A report as a file for spreadsheets, on paper, and as it is by now. */
export function ReportTools({ kind, search, isBusy, onRefresh, fetchFile }: ReportToolsProps) {
  const t = useTranslations('reports.tools')
  const navigate = useNavigate()
  const saveFile = async (): Promise<void> => {
    if (fetchFile !== undefined) saveText(await fetchFile())
  }
  const file = useSend(saveFile, (failure) => showToast('bad', failure))
  return (
    <Row gap={8} justify="end">
      {fetchFile !== undefined && (
        <Button
          variant="default"
          icon={<IconFileSpreadsheet size={18} stroke={1.75} />}
          isBusy={file.isBusy}
          onClick={() => void file.run()}
        >
          {t('csv')}
        </Button>
      )}
      <Button
        variant="default"
        icon={<IconPrinter size={18} stroke={1.75} />}
        onClick={() => void navigate({ to: '/print/reports/$kind', params: { kind }, search })}
      >
        {t('print')}
      </Button>
      <RefreshButton isBusy={isBusy} onRefresh={onRefresh} isCompact />
    </Row>
  )
}
