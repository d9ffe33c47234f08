import type { Order, OrderItem } from '@megalot/contract'
import { betTypeByCode } from '@megalot/rules'
import { useLocale, useTranslations } from 'use-intl'
import { localizedName } from '../../lib/i18n/localized-name.ts'
import { formatBaht, formatPercent, formatRate } from '../../lib/format/money.ts'
import { ItemStatusChip } from '../../ui/order-status-chip.tsx'
import classes from './bill-items.module.css'

/** Every item of a ticket: a table where there is room, the same rows as small cards on a phone. */
export function BillItems({ order }: { order: Order }) {
  const t = useTranslations('bills')
  return (
    <table className={classes.table}>
      <thead>
        <tr>
          <th scope="col">{t('type')}</th>
          <th scope="col">{t('item_number')}</th>
          {(['bet', 'received', 'rate', 'discount', 'net'] as const).map((name) => (
            <th key={name} scope="col" className={classes.figure}>
              {t(name)}
            </th>
          ))}
          <th scope="col">{t('status')}</th>
          <th scope="col" className={classes.figure}>
            {t('win')}
          </th>
        </tr>
      </thead>
      <tbody>
        {order.items.map((item) => (
          <ItemRow key={item.line_no} item={item} />
        ))}
      </tbody>
    </table>
  )
}

function ItemRow({ item }: { item: OrderItem }) {
  const t = useTranslations('bills')
  const language = useLocale()
  const type = betTypeByCode[item.bet_type]
  const isLess = item.received_satang < item.bet_satang
  return (
    <tr className={classes.row} data-status={item.status}>
      <td className={classes.type}>{localizedName(type, language)}</td>
      <td className={classes.number}>{item.number}</td>
      <td className={classes.figure} data-label={t('bet')}>
        {formatBaht(item.bet_satang)}
      </td>
      <td className={classes.figure} data-label={t('received')} data-less={isLess || undefined}>
        {formatBaht(item.received_satang)}
      </td>
      <td className={classes.figure} data-label={t('rate')}>
        {item.is_half_pay ? `${formatRate(item.rate)} · ${t('half')}` : formatRate(item.rate)}
      </td>
      <td className={classes.figure} data-label={t('discount')}>
        <span>
          {formatBaht(item.discount_satang)} <span className={classes.dim}>({formatPercent(item.discount_rate)})</span>
        </span>
      </td>
      <td className={classes.figure} data-label={t('net')}>
        {formatBaht(item.net_satang)}
      </td>
      <td className={classes.status}>
        <ItemStatusChip status={item.status} />
      </td>
      <td className={classes.win} data-label={t('win')} data-won={item.win_satang > 0 || undefined}>
        {item.status === 'won' || item.status === 'lost' ? formatBaht(item.win_satang) : '–'}
      </td>
    </tr>
  )
}
