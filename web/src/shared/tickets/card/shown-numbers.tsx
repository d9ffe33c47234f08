import type { ListedOrder, ShownItem } from '@megalot/contract'
import { columnOfBetType } from '@megalot/rules'
import { useTranslations } from 'use-intl'
import { formatWholeBaht } from '../../../lib/format/money.ts'
import classes from './shown-numbers.module.css'
import { groupByNumber } from './ticket-lines.ts'

/** The first numbers of a ticket in a list; those that were searched for are marked, with what became of them. */
export function ShownNumbers({ order: { shown_items, item_count } }: { order: ListedOrder }) {
  const t = useTranslations('bills')
  const more = item_count - shown_items.length
  return (
    <span className={classes.numbers} data-testid="shown-numbers">
      {groupByNumber(shown_items).map(([number, items]) => (
        <ShownNumber key={number} number={number} items={items} />
      ))}
      {more > 0 && <span className={classes.more}>{t('more_items', { count: more })}</span>}
    </span>
  )
}

function ShownNumber({ number, items }: { number: string; items: readonly ShownItem[] }) {
  const t = useTranslations('bills')
  const isFound = items.some(({ is_found }) => is_found)
  const win_satang = items.reduce((sum, item) => sum + item.win_satang, 0)
  const isLost = items.every(({ status }) => status === 'lost')
  const content = (
    <>
      <strong>{number}</strong>
      {items.map(({ bet_type, asked_satang, received_satang }, index) => (
        // The items of a ticket never change places.
        <span key={index}>
          {t(`column.${columnOfBetType(bet_type)}`)}{' '}
          {received_satang > 0 ? formatWholeBaht(received_satang) : <s>{formatWholeBaht(asked_satang)}</s>}
        </span>
      ))}
      {win_satang > 0 && (
        <span className={classes.won}>
          {t('line.won')} +{formatWholeBaht(win_satang)}
        </span>
      )}
      {isFound && isLost && <span>{t('line.lost')}</span>}
    </>
  )
  return isFound ? <mark className={classes.number}>{content}</mark> : <span className={classes.number}>{content}</span>
}
