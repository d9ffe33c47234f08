import * as contract from '@megalot/contract'
import { returnOutcome, serveChange } from '../../changes/index.ts'
import type { Db } from '../../postgres/db.ts'
import type { Serve } from '../../http/serve.ts'
import { changeOfficeRole } from './role-changes.ts'
import {
  changeAssistantAreas,
  changeStaffStatus,
  createAssistant,
  createOfficeUser,
  endStaffSessions,
  resetAssistantPassword,
} from './staff-changes.ts'
import { listStaff } from './staff.service.ts'

export function serveStaff(serve: Serve, db: Db, lists: Db): void {
  const on = { serve, db }
  serve(contract.listStaff, ({ caller }) => listStaff(lists, caller))
  serveChange(on, contract.createAssistant, createAssistant, ({ body }) => ({ input: body }), returnOutcome)
  serveChange(on, contract.createOfficeUser, createOfficeUser, ({ body }) => ({ input: body }), returnOutcome)
  serveChange(on, contract.changeAssistantAreas, changeAssistantAreas, ofUser, returnOutcome)
  serveChange(on, contract.changeOfficeRole, changeOfficeRole, ofUser, returnOutcome)
  serveChange(on, contract.changeStaffStatus, changeStaffStatus, ofUser, returnOutcome)
  serveChange(on, contract.resetAssistantPassword, resetAssistantPassword, ofUser, returnOutcome)
  serveChange(on, contract.endStaffSessions, endStaffSessions, ofUser, returnOutcome)
}

/** Calls that name a user in their path. */
function ofUser<Body extends { reason: string }>({
  params,
  body: { reason, ...rest },
}: {
  params: { user_id: string }
  body: Body
}): { input: Omit<Body, 'reason'> & { user_id: number }; reason: string } {
  return { input: { ...rest, user_id: Number(params.user_id) }, reason }
}
