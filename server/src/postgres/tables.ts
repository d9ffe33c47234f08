// The tables, for typed queries; `tables/` has their columns, one file per area. A test compares them with the
// database's, line by line.

import type { AccountsTables } from './tables/accounts.ts'
import type { AuditorTables } from './tables/auditor.ts'
import type { AwardsTables } from './tables/awards.ts'
import type { BookTables } from './tables/book.ts'
import type { LedgerTables } from './tables/ledger.ts'
import type { MarketsTables } from './tables/markets.ts'
import type { MessagesTables } from './tables/messages.ts'
import type { OrdersTables } from './tables/orders.ts'
import type { QuotasTables } from './tables/quotas.ts'
import type { ReportsTables } from './tables/reports.ts'
import type { SessionsTables } from './tables/sessions.ts'

export interface Tables
  extends
    AccountsTables,
    AuditorTables,
    AwardsTables,
    BookTables,
    LedgerTables,
    MarketsTables,
    MessagesTables,
    OrdersTables,
    QuotasTables,
    ReportsTables,
    SessionsTables {}
