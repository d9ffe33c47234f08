import type { ChatLine } from '@megalot/rules'
import IconAlertTriangle from '~icons/alert-triangle'
import IconCircleCheck from '~icons/circle-check'
import IconPencil from '~icons/pencil'
import { Fragment } from 'react'
import { useTranslations } from 'use-intl'
import { formatWholeBaht } from '../../../../lib/format/money.ts'
import { Alert } from '../../../../ui/alert.tsx'
import { Button } from '../../../../ui/button.tsx'
import { Checkbox } from '../../../../ui/checkbox.tsx'
import { BetLines, LineBlocks, sumOfItems } from '../bet-lines.tsx'
import shared from '../import-sheet.module.css'
import { LineLinks } from '../line-links.tsx'
import type { TextRange } from '../line-links.tsx'
import { Stakes } from '../stakes.tsx'
import { TypeSums } from '../type-sums.tsx'
import { groupNumbers } from './chat-lines.ts'
import type { Confirmed, SortedLines } from './chat-lines.ts'
import classes from './chat-preview.module.css'

const UNSURE_LINE_PX = 96
const BET_LINE_PX = 62

interface ChatPreviewProps {
  sorted: SortedLines
  /** How many unsure lines are not confirmed. */
  left: number
  confirmed: Confirmed
  onConfirm: (confirmed: Confirmed) => void
  /** The total in satang that the text states. */
  total: number | null
  /** Selects a line in the text, where it can be corrected. */
  onSelect: (line: TextRange) => void
}

/** The reading of a chat: refused lines, unsure lines to confirm, every line as it will be bet, and lines set aside. */
export function ChatPreview({ sorted, left, confirmed, onConfirm, total, onSelect }: ChatPreviewProps) {
  const t = useTranslations('chat')
  const preview = useTranslations('import')
  const { unread, unsure, bets, aside, items } = sorted
  const reasonOf = ({ reason }: ChatLine): string => (reason === null ? '' : t(`reason.${reason}`))
  const lines = unread.length + unsure.length + aside.length + bets.filter(({ is_sure }) => is_sure).length
  const sum = sumOfItems(items)
  return (
    <section className={shared.preview} aria-label={preview('preview')}>
      <output className={shared.summary} data-testid="import-summary">
        {t('summary', { lines, items: items.length })}{' '}
        {unsure.length > 0 && <span data-tone={left > 0 ? 'warn' : undefined}>{t('waiting', { count: left })}</span>}{' '}
        {unread.length > 0 && <span data-tone="bad">{t('unread', { count: unread.length })}</span>}
      </output>
      {total !== null && (
        <Alert kind={total === sum ? 'good' : 'warn'}>
          {total === sum
            ? t('total_same', { total: formatWholeBaht(total) })
            : t('total_other', { total: formatWholeBaht(total), sum: formatWholeBaht(sum) })}
        </Alert>
      )}
      <LineLinks
        title={t('unread_lines', { count: unread.length })}
        lines={unread}
        reasonOf={reasonOf}
        isWrong
        testId="import-errors"
        onSelect={onSelect}
      />
      {unsure.length > 0 && (
        <div data-testid="import-unsure">
          <p className={classes.ask}>{t('unsure.title', { count: unsure.length })}</p>
          <LineBlocks
            label={t('unsure.label')}
            lines={unsure}
            linePx={UNSURE_LINE_PX}
            // Below the last line, so that every line it confirms has been on screen.
            end={
              unsure.length > 1 && (
                <div className={classes.all}>
                  <Button
                    variant="default"
                    isWide
                    disabled={left === 0}
                    onClick={() => onConfirm(new Set(unsure.map(({ line_no }) => line_no)))}
                  >
                    {t('unsure.all', { count: unsure.length })}
                  </Button>
                </div>
              )
            }
          >
            {(line) => (
              <div key={line.line_no} className={classes.unsure}>
                <Checkbox
                  label={
                    <span className={classes.reading}>
                      <Pasted line={line} />
                      <Numbers line={line} />
                      <span className={classes.doubt} data-tone="warn">
                        <IconAlertTriangle size={16} stroke={1.75} aria-hidden="true" />
                        {reasonOf(line)}
                      </span>
                    </span>
                  }
                  isChecked={confirmed.has(line.line_no)}
                  onChange={(isConfirmed) => onConfirm(withLine(confirmed, line.line_no, isConfirmed))}
                />
                <button
                  type="button"
                  className={classes.edit}
                  aria-label={t('unsure.edit', { line: String(line.line_no) })}
                  onClick={() => onSelect(line)}
                >
                  <IconPencil size={20} stroke={1.75} />
                </button>
              </div>
            )}
          </LineBlocks>
        </div>
      )}
      {bets.length > 0 && (
        <BetLines lines={bets} linePx={BET_LINE_PX} itemsOf={betsOf}>
          {(line) => (
            <div key={line.line_no} className={classes.bet}>
              <span className={classes.reading}>
                <Pasted line={line} />
                <Numbers line={line} />
              </span>
              <span className={classes.state} data-tone="good">
                <IconCircleCheck size={16} stroke={1.75} aria-hidden="true" />
                {t(line.is_sure ? 'sure' : 'confirmed')}
              </span>
            </div>
          )}
        </BetLines>
      )}
      <TypeSums items={items} />
      <LineLinks
        title={t('aside', { count: aside.length })}
        lines={aside}
        reasonOf={reasonOf}
        isFolded
        testId="import-aside"
        onSelect={onSelect}
      />
    </section>
  )
}

function betsOf({ bets }: ChatLine): ChatLine['bets'] {
  return bets
}

function withLine(confirmed: Confirmed, line_no: number, isConfirmed: boolean): Confirmed {
  const changed = new Set(confirmed)
  if (isConfirmed) changed.add(line_no)
  else changed.delete(line_no)
  return changed
}

/** A line as it was pasted. */
function Pasted({ line: { line_no, text } }: { line: ChatLine }) {
  return (
    <span className={classes.pasted}>
      {line_no} <q>{text}</q>
    </span>
  )
}

/** The bets of a line: "12 13 2 top 50 2 bottom 20". */
function Numbers({ line: { bets } }: { line: ChatLine }) {
  const t = useTranslations('import')
  const groups = groupNumbers(bets)
  return (
    <span className={classes.numbers}>
      {groups.map(({ numbers, stakes }) => (
        <Fragment key={numbers[0]}>
          <strong>{numbers.join(' ')}</strong>{' '}
          <span className={classes.stakes}>
            <Stakes stakes={stakes} />
          </span>{' '}
        </Fragment>
      ))}
      {bets.length > 2 && <span>{t('doors', { count: bets.length, sum: formatWholeBaht(sumOfItems(bets)) })}</span>}
    </span>
  )
}
