import type { Order } from '@megalot/contract'
import { betTypeByCode, betTypeCodes } from '@megalot/rules'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useLocale, useTranslations } from 'use-intl'
import { localizedName } from '../../../lib/i18n/localized-name.ts'
import { formatDay, formatInstant } from '../../../lib/format/dates.ts'
import { marketsQuery } from '../../markets/queries.ts'
import { formatBaht } from '../../../lib/format/money.ts'
import { shownStatus } from '../../../ui/order-status-chip.tsx'
import { possibleWin } from '../card/ticket-lines.ts'
import { addressOfBill } from './qr.ts'
import type { Picture, PictureGroup } from './ticket-picture.ts'

/** A ticket in the words of its picture. Whose it is does not stand there: pictures travel far. */
export function usePicture(order: Order): Picture {
  const t = useTranslations('bills')
  const common = useTranslations('common')
  const language = useLocale()
  const { data: markets = [] } = useQuery(marketsQuery)
  const { period } = order
  const market = markets.find((one) => one.product_code === period.product_code)
  const isSettled = order.status === 'CONFIRMED' && period.status === 'settled'
  const possible_satang = useMemo(() => possibleWin(order), [order])
  return {
    title: market === undefined ? period.product_code : localizedName(market, language),
    facts: [
      common('period', { day: formatDay(period.period_date, language) }) +
        (period.round === null ? '' : ` · ${common('round', { round: String(period.round) })}`),
      `${t('one', { order_id: String(order.order_id) })} · ${formatInstant(order.created_at, language, 'dayAndTime')}`,
      `${t('package')} ${order.package_code}`,
    ],
    status: `${common(`order_status.${shownStatus(order)}`)} · ${common(`period_status.${period.status}`)}`,
    groups: groupsOf(order, (code) => localizedName(betTypeByCode[code], language), t('half'), t('share.won')),
    totals: [
      { name: t('bet'), amount: formatBaht(order.bet_satang) },
      ...(order.received_satang === order.bet_satang
        ? []
        : [{ name: t('received'), amount: formatBaht(order.received_satang) }]),
      { name: t('discount'), amount: formatBaht(order.discount_satang) },
      { name: t('net'), amount: formatBaht(order.net_satang) },
      ...(possible_satang === null ? [] : [{ name: t('possible'), amount: formatBaht(possible_satang) }]),
      ...(isSettled ? [{ name: t('win'), amount: formatBaht(order.win_satang) }] : []),
    ],
    qr: { text: addressOfBill(order.order_id), caption: [t('share.scan'), t('share.scan_hint'), 'megalot'] },
  }
}

function groupsOf(
  { items }: Order,
  nameOf: (code: (typeof betTypeCodes)[number]) => string,
  half: string,
  won: string,
): readonly PictureGroup[] {
  return betTypeCodes
    .map((code) => ({
      name: nameOf(code),
      won,
      cells: items
        .filter(({ bet_type }) => bet_type === code)
        .map((item) => ({
          number: item.number,
          amount: `${formatBaht(item.received_satang)}${item.is_half_pay ? ` ${half}` : ''}`,
          look:
            item.status === 'won'
              ? ('won' as const)
              : item.received_satang === 0
                ? ('off' as const)
                : ('plain' as const),
        })),
    }))
    .filter(({ cells }) => cells.length > 0)
}
