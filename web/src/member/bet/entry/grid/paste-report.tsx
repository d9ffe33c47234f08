import IconX from '~icons/x'
import { useTranslations } from 'use-intl'
import { Alert } from '../../../../ui/alert.tsx'
import classes from './paste-report.module.css'
import type { LineProblem } from './paste.ts'

const MAX_LINES = 20

interface PasteReportProps {
  problems: readonly LineProblem[]
  onRead: () => void
}

/** The lines of a paste that were not taken, each with its reason; it stays until it is read. */
export function PasteReport({ problems, onRead }: PasteReportProps) {
  const t = useTranslations('bet.grid.paste')
  const common = useTranslations('common.action')
  return (
    <div className={classes.report} data-testid="paste-report">
      <Alert kind="warn" title={t('report')}>
        <ul className={classes.lines}>
          {problems.slice(0, MAX_LINES).map(({ line_no, text, code }) => (
            <li key={line_no}>
              <span className={classes.where}>
                {t('line', { line: String(line_no) })} <q className={classes.text}>{text}</q>
              </span>{' '}
              {t(`reason.${code}`)}
            </li>
          ))}
          {problems.length > MAX_LINES && <li>{t('more', { lines: problems.length - MAX_LINES })}</li>}
        </ul>
      </Alert>
      <button type="button" className={classes.close} aria-label={common('close')} onClick={onRead}>
        <IconX size={20} stroke={1.75} />
      </button>
    </div>
  )
}
