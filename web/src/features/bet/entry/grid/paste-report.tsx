import { IconX } from '@tabler/icons-react'
import { useTranslations } from 'use-intl'
import { Notice } from '../../../../ui/alert.tsx'
import classes from './paste-report.module.css'
import type { LineTrouble } from './paste.ts'

const MAX_LINES = 20

interface PasteReportProps {
  troubles: readonly LineTrouble[]
  onRead: () => void
}

/** The lines of a paste that were not taken, each with its reason; it stays until it is read. */
export function PasteReport({ troubles, onRead }: PasteReportProps) {
  const t = useTranslations('bet.grid.paste')
  const common = useTranslations('common.action')
  return (
    <div className={classes.report} data-testid="paste-report">
      <Notice kind="warn" title={t('report')}>
        <ul className={classes.lines}>
          {troubles.slice(0, MAX_LINES).map(({ line_no, text, code }) => (
            <li key={line_no}>
              <span className={classes.where}>
                {t('line', { line: String(line_no) })} <q className={classes.text}>{text}</q>
              </span>{' '}
              {t(`reason.${code}`)}
            </li>
          ))}
          {troubles.length > MAX_LINES && <li>{t('more', { lines: troubles.length - MAX_LINES })}</li>}
        </ul>
      </Notice>
      <button type="button" className={classes.close} aria-label={common('close')} onClick={onRead}>
        <IconX size={20} stroke={1.75} />
      </button>
    </div>
  )
}
