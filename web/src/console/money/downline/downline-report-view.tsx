import type { DownlineReport } from './downline-search.ts'
import {
  ChangesTable,
  DailyCloseTable,
  OutstandingTable,
  type TableProps,
  TypesTable,
  WinnersTable,
} from './downline-tables.tsx'
import { WinLossTree } from './win-loss-tree.tsx'

const reports = {
  tree: WinLossTree,
  outstanding: OutstandingTable,
  types: TypesTable,
  winners: WinnersTable,
  changed: ChangesTable,
  close: DailyCloseTable,
} as const satisfies Record<DownlineReport, unknown>

/** The report that an address names, on the screen or on paper. */
export function DownlineReportView(props: TableProps) {
  const Report = reports[props.search.report ?? 'tree']
  return <Report {...props} />
}
