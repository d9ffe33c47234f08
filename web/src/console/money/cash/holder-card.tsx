import type { CashDay } from '@megalot/contract'
import { useLocale, useTranslations } from 'use-intl'
import { formatInstant } from '../../../lib/format/dates.ts'
import { formatBaht, formatSignedBaht } from '../../../lib/format/money.ts'
import { useUser } from '../../../lib/user/user-query.ts'
import { Button } from '../../../ui/button.tsx'
import { Card, Row, Text } from '../../../ui/layout.tsx'
import classes from './cash.module.css'

interface HolderCardProps {
  cash: CashDay
  isToday: boolean
  /** Absent: the caller may not. */
  onCount?: () => void
  onHandOver?: () => void
}

/** The cash of one holder on a day, as a sum from what was brought forward to what is on hand. */
export function HolderCard({ cash, isToday, onCount, onHandOver }: HolderCardProps) {
  const t = useTranslations('cash')
  const { holder, on_hand_satang, transferred_in_satang, transferred_out_satang } = cash
  const { username } = useUser()
  const who = holder.username === username ? t('you') : holder.is_principal ? null : t('collector')
  return (
    <Card as="li" gap={8} pad={[14, 16, 16]} data-testid={`cash-${holder.username}`}>
      <Row justify="space-between" align="baseline" gap={[0, 12]}>
        <h2 className={classes.name}>
          {holder.username}
          {who !== null && <span className={classes.who}>{who}</span>}
        </h2>
        {holder.display_name !== holder.username && (
          <Text as="span" size="small" tone="dim">
            {holder.display_name}
          </Text>
        )}
      </Row>
      <dl className={classes.sum}>
        {linesOf(cash).map(({ name, satang, count = 0 }) => (
          <div key={name}>
            <dt>{t(`line.${name}`, { count })}</dt>
            <dd>{name === 'forward' ? formatBaht(satang) : formatSignedBaht(satang)}</dd>
          </div>
        ))}
        <div data-total>
          <dt>{t('on_hand')}</dt>
          <dd>{formatBaht(on_hand_satang)}</dd>
        </div>
      </dl>
      {(transferred_in_satang !== 0 || transferred_out_satang !== 0) && (
        <Text size="small" tone="dim" tabular>
          {t('transfers')}{' '}
          {t('transferred', { in: formatBaht(transferred_in_satang), out: formatBaht(transferred_out_satang) })}
        </Text>
      )}
      <Counted cash={cash} isToday={isToday} />
      {(onCount !== undefined || onHandOver !== undefined) && (
        <Row gap={8} className={classes.buttons}>
          {onCount !== undefined && (
            <Button
              size="sm"
              variant="light"
              aria-label={t('count.button_of', { name: holder.username })}
              onClick={onCount}
            >
              {t('count.button')}
            </Button>
          )}
          {onHandOver !== undefined && (
            <Button
              size="sm"
              variant="default"
              aria-label={t('hand.button_of', { name: holder.username })}
              disabled={on_hand_satang <= 0}
              onClick={onHandOver}
            >
              {t('hand.button')}
            </Button>
          )}
        </Row>
      )}
    </Card>
  )
}

type LineName =
  | 'forward'
  | 'received'
  | 'paid'
  | 'passed_up'
  | 'passed_down'
  | 'handed_in'
  | 'handed_out'
  | 'over'
  | 'short'

interface Line {
  name: LineName
  satang: number
  count?: number
}

/** The moves of a day. Those that seldom happen are left out at 0. */
function linesOf(cash: CashDay): Line[] {
  const { passed_up_satang, handed_in_satang, difference_satang } = cash
  const seldom: readonly Line[] = [
    { name: passed_up_satang > 0 ? 'passed_up' : 'passed_down', satang: 0 - passed_up_satang },
    { name: handed_in_satang > 0 ? 'handed_in' : 'handed_out', satang: handed_in_satang },
    { name: difference_satang > 0 ? 'over' : 'short', satang: difference_satang },
  ]
  return [
    { name: 'forward', satang: cash.forward_satang },
    { name: 'received', satang: cash.received_satang, count: cash.received_count },
    { name: 'paid', satang: 0 - cash.paid_satang, count: cash.paid_count },
    ...seldom.filter(({ satang }) => satang !== 0),
  ]
}

function Counted({ cash: { counted }, isToday }: { cash: CashDay; isToday: boolean }) {
  const t = useTranslations('cash.counted')
  const language = useLocale()
  if (counted === null)
    return (
      <Text size="small" tone="dim">
        {t(isToday ? 'none' : 'none_then')}
      </Text>
    )
  const difference = counted.counted_satang - counted.expected_satang
  const values = {
    time: formatInstant(counted.at, language, 'time'),
    amount: formatBaht(counted.counted_satang),
    difference: formatBaht(Math.abs(difference)),
  }
  return (
    <Text size="small" tabular tone={difference === 0 ? 'good' : 'warn'}>
      {t(wordOf(difference), values)}
      {counted.note !== null && ` · ${counted.note}`}
    </Text>
  )
}

/** A difference in one word. @param satang counted less expected */
export function wordOf(satang: number): 'exact' | 'over' | 'short' {
  if (satang === 0) return 'exact'
  return satang > 0 ? 'over' : 'short'
}
