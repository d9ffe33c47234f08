import type { Period } from '@megalot/contract'
import { MarketName } from '../../../shared/markets/market-name.tsx'
import { TicketLink } from '../../../shared/tickets/orders/ticket-link.tsx'
import { formatBaht, formatCount } from '../../../lib/format/money.ts'
import type { GridColumn } from '../../../ui/grid/grid-column.ts'

/** A column of an amount in Baht. @param of null: it is not known yet */
export function amountColumn<Row>(name: string, label: string, of: (row: Row) => number | null): GridColumn<Row> {
  const show = (row: Row, write: (satang: number) => string, none: string): string => {
    const satang = of(row)
    return satang === null ? none : write(satang)
  }
  return {
    name,
    label,
    isFigure: true,
    text: (row) => show(row, (satang) => (satang / 100).toFixed(2), ''),
    cell: (row) => show(row, formatBaht, '–'),
  }
}

export function countColumn<Row>(name: string, label: string, of: (row: Row) => number): GridColumn<Row> {
  return { name, label, isFigure: true, text: (row) => String(of(row)), cell: (row) => formatCount(of(row)) }
}

export function textColumn<Row>(name: string, label: string, of: (row: Row) => string): GridColumn<Row> {
  return { name, label, text: of, cell: of }
}

/** A ticket, with the link to it. */
export function ticketColumn<Row extends { order_id: number }>(label: string): GridColumn<Row> {
  return {
    name: 'order_id',
    label,
    isRowName: true,
    text: ({ order_id }) => String(order_id),
    cell: ({ order_id }) => <TicketLink order_id={order_id} />,
  }
}

/** A market and its period. */
export function periodColumn<Row>(label: string, of: (row: Row) => Period | null | undefined): GridColumn<Row> {
  return {
    name: 'period',
    label,
    text: (row) => of(row)?.period_code ?? '',
    cell: (row) => {
      const period = of(row)
      return period === null || period === undefined ? null : <MarketName period={period} />
    },
    width: 'minmax(13rem, 2fr)',
  }
}
