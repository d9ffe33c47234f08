import { Button } from '../../ui/button.tsx'
import { Row } from '../../ui/layout.tsx'
import IconFileSpreadsheet from '~icons/file-spreadsheet'
import IconPrinter from '~icons/printer'
import IconRefresh from '~icons/refresh'
import { useNavigate } from '@tanstack/react-router'
import { useTranslations } from 'use-intl'
import { useSend } from '../../lib/forms/use-send.ts'
import { saveText } from '../../lib/device/save-file.ts'
import { showToast } from '../../lib/feedback/toast.ts'
import classes from './report-tools.module.css'
import type { ReportSearch } from './report-search.ts'

interface ReportToolsProps {
  kind: 'win-loss' | 'balance' | 'summary'
  search: ReportSearch
  isBusy: boolean
  onRefresh: () => void
  /** Absent: this report has no file. */
  fetchFile?: () => Promise<{ filename: string; text: string }>
}

/** A report as a file for spreadsheets, on paper, and as it is by now: icons, in the line of the report's filters. */
export function ReportTools({ kind, search, isBusy, onRefresh, fetchFile }: ReportToolsProps) {
  const t = useTranslations('reports.tools')
  const common = useTranslations('common.action')
  const navigate = useNavigate()
  const saveFile = async (): Promise<void> => {
    if (fetchFile !== undefined) saveText(await fetchFile())
  }
  const file = useSend(saveFile, (failure) => showToast('bad', failure))
  return (
    <Row nowrap gap={8}>
      {fetchFile !== undefined && (
        <Button
          variant="default"
          className={classes.tool}
          title={t('csv')}
          icon={<IconFileSpreadsheet size={20} stroke={1.75} aria-hidden="true" />}
          isBusy={file.isBusy}
          onClick={() => void file.run()}
        >
          <span className="visually-hidden">{t('csv')}</span>
        </Button>
      )}
      <Button
        variant="default"
        className={classes.tool}
        title={t('print')}
        icon={<IconPrinter size={20} stroke={1.75} aria-hidden="true" />}
        onClick={() => void navigate({ to: '/print/reports/$kind', params: { kind }, search })}
      >
        <span className="visually-hidden">{t('print')}</span>
      </Button>
      <Button
        variant="default"
        className={classes.tool}
        title={common('refresh')}
        icon={<IconRefresh size={20} stroke={1.75} aria-hidden="true" />}
        isBusy={isBusy}
        onClick={onRefresh}
      >
        <span className="visually-hidden">{common('refresh')}</span>
      </Button>
    </Row>
  )
}
