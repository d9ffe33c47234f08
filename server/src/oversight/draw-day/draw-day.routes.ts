import * as contract from '@megalot/contract'
import type { Db } from '../../postgres/db.ts'
import type { Serve } from '../../http/serve.ts'
import { createDayReader, listCalendar } from './draw-day.service.ts'

/** @param reports connections for reports, because sums over many members take a while */
export function serveDrawDay(serve: Serve, reports: Db, lists: Db): void {
  const readDay = createDayReader(reports)

  serve(contract.listDayPeriods, ({ caller, query }) => readDay(caller, query.date))

  serve(contract.listCalendar, ({ query }) => listCalendar(lists, query.date_from, query.date_to))
}
