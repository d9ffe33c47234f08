import * as contract from '@megalot/contract'
import { returnOutcome, serveChange, splitReason } from '../changes/index.ts'
import { type Db, readClock } from '../postgres/db.ts'
import { readPage } from '../http/page.ts'
import { Refusal } from '../lib/refusal.ts'
import type { Serve } from '../http/serve.ts'
import { listCalendarWarnings } from './calendar-warnings.service.ts'
import { changeCancelRules } from './cancel-rules.service.ts'
import {
  getGameConfig,
  listAvailableProducts,
  listEnabledProducts,
  listPackages,
  listPeriods,
  listProductPeriods,
} from './markets.service.ts'
import { closePeriod } from './period-changes.ts'
import { getPeriodRecord, toPeriod } from './periods.ts'
import { switchProduct } from './market-switch.service.ts'
import { changeGameConfig, listAllPackages, listGameConfigs, listTheoreticalReturns } from './packages.service.ts'
import { listProducts } from './products.ts'
import { listTimetables, previewTimetable, setDrawDay, setHoliday } from './timetables.service.ts'
import { givePackages, listUserPackages, takePackages } from './user-packages.service.ts'

/** @param onClosed called with the instant at which a period was closed early */
export function serveMarkets(serve: Serve, db: Db, onClosed: (at: Date) => void): void {
  serve(contract.listProducts, () => listProducts(db))

  serve(contract.listEnabledProducts, () => listEnabledProducts(db))

  serve(contract.listAvailableProducts, ({ caller }) => listAvailableProducts(db, caller.principal_id))

  serve(contract.listProductPeriod, ({ caller }) => listProductPeriods(db, caller.principal_id))

  serve(contract.listPeriods, ({ query }) => {
    const { limit, offset } = readPage(query)
    return listPeriods(db, query.product_code, limit, offset)
  })

  serve(contract.getPeriod, async ({ params }) => {
    const period = await getPeriodRecord(db, params.period_code)
    if (period.product_code !== params.product_code) throw new Refusal('unknown_period')
    return { now: (await readClock(db)).toISOString(), period: toPeriod(period) }
  })

  serve(contract.listPackages, async ({ caller, params }) => {
    const packages = await listPackages(db, caller.principal_id, params.product_code)
    return packages.map(({ package_code, name }) => ({ package_code, name }))
  })

  serve(contract.getGameConfig, ({ caller, params }) =>
    getGameConfig(db, caller.principal_id, params.product_code, params.package_code),
  )

  serve(contract.listAllPackages, () => listAllPackages(db))

  serve(contract.listGameConfigs, () => listGameConfigs(db))

  serve(contract.listTheoreticalReturns, ({ params }) => listTheoreticalReturns(db, params))

  const at = { serve, db }
  serveChange(
    at,
    contract.changeGameConfig,
    changeGameConfig,
    ({ params, body: { reason, ...terms } }) => ({ input: { ...params, ...terms }, reason }),
    returnOutcome,
  )
  serveChange(
    at,
    contract.changeCancelRules,
    changeCancelRules,
    ({ params, body: { reason, ...rules } }) => ({ input: { ...params, rules }, reason }),
    returnOutcome,
  )
  serveChange(
    at,
    contract.switchProduct,
    switchProduct,
    ({ params, body: { reason, is_enabled } }) => ({ input: { ...params, is_enabled }, reason }),
    returnOutcome,
  )

  serve(contract.listTimetables, () => listTimetables(db))

  serve(contract.previewTimetable, ({ params, body }) => previewTimetable(db, { ...params, ...body }))

  serve(contract.listCalendarWarnings, () => listCalendarWarnings(db))

  serveChange(
    at,
    contract.setDrawDay,
    setDrawDay,
    ({ params, body: { reason, ...day } }) => ({ input: { ...params, ...day }, reason }),
    returnOutcome,
  )
  serveChange(at, contract.setHoliday, setHoliday, splitReason, returnOutcome)

  serve(contract.listUserPackages, ({ caller, params }) => listUserPackages(db, caller, Number(params.user_id)))

  serveChange(
    at,
    contract.givePackages,
    givePackages,
    ({ params, body: { reason, ...given } }) => ({ input: { user_id: Number(params.user_id), ...given }, reason }),
    returnOutcome,
  )
  serveChange(
    at,
    contract.takePackages,
    takePackages,
    ({ params, body: { reason, packages } }) => ({ input: { user_id: Number(params.user_id), packages }, reason }),
    returnOutcome,
  )

  serveChange(
    at,
    contract.closePeriod,
    closePeriod,
    ({ params, body: { reason } }) => ({ input: params, reason }),
    async (period) => {
      onClosed(new Date(period.close_at))
      return period
    },
  )
}
