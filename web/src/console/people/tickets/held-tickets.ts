// The rows of a list that follows new tickets, while somebody aims at one of them.

interface Ticket {
  order_id: number
}

/**
 * The rows that stay where they are: those that were shown, as they are by now, and behind them older ones that were asked for. New
 * tickets come when the rows are let go.
 *
 * @param shown the rows when they were held
 * @param now the same list by now, newest first
 */
export function holdTickets<Row extends Ticket>(
  shown: readonly Row[],
  now: readonly Row[],
): { rows: readonly Row[]; new_count: number } {
  const first = shown[0]
  const last = shown.at(-1)
  if (first === undefined || last === undefined) return { rows: now, new_count: 0 }
  const current = new Map(now.map((row) => [row.order_id, row]))
  const older = now.filter(({ order_id }) => order_id < last.order_id)
  return {
    rows: [...shown.map((row) => current.get(row.order_id) ?? row), ...older],
    new_count: now.filter(({ order_id }) => order_id > first.order_id).length,
  }
}
