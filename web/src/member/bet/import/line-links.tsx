import { useTranslations } from 'use-intl'
import classes from './import-sheet.module.css'

/** So many lines are listed; their count is shown in any case. */
const MAX_LISTED = 50

/** A line's place in the text; start and end in UTF-16 units. */
export interface TextRange {
  line_no: number
  start: number
  end: number
}

interface LineLinksProps<Line> {
  title: string
  lines: readonly Line[]
  reasonOf?: (line: Line) => string
  /** Whether the lines are errors. */
  isWrong?: boolean
  isFolded?: boolean
  testId?: string
  /** Selects a line in the text, where it can be corrected. */
  onSelect: (line: TextRange) => void
}

/** Lines of the text as links that select them, under a title that folds them away; nothing without lines. */
export function LineLinks<Line extends TextRange & { text: string }>({
  title,
  lines,
  reasonOf = () => '',
  isWrong = false,
  isFolded = false,
  testId,
  onSelect,
}: LineLinksProps<Line>) {
  const t = useTranslations('bet.grid.paste')
  if (lines.length === 0) return null
  return (
    <details open={!isFolded} className={isWrong ? classes.wrong : undefined} data-testid={testId}>
      <summary>{title}</summary>
      <ul className={classes.lines}>
        {lines.slice(0, MAX_LISTED).map((line) => (
          <li key={line.line_no}>
            <button type="button" className={classes.lineLink} onClick={() => onSelect(line)}>
              <span className={classes.where}>{t('line', { line: String(line.line_no) })}</span>{' '}
              <q className={classes.quote}>{line.text}</q> {reasonOf(line)}
            </button>
          </li>
        ))}
        {lines.length > MAX_LISTED && <li>{t('more', { lines: lines.length - MAX_LISTED })}</li>}
      </ul>
    </details>
  )
}
