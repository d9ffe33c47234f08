import * as contract from '@megalot/contract'
import type { Db } from '../../postgres/db.ts'
import type { Serve } from '../../http/serve.ts'
import {
  changeAssistantAreas,
  changeOfficeRole,
  changeStaffStatus,
  createAssistant,
  createOfficeUser,
  type EndBegun,
  endStaffSessions,
  listStaff,
  resetAssistantPassword,
} from './staff.service.ts'

/** @param endBegun ends what a user has begun who is suspended, or loses permissions */
export function serveStaff(serve: Serve, db: Db, lists: Db, endBegun: EndBegun): void {
  serve(contract.listStaff, ({ caller }) => listStaff(lists, caller))
  serve(contract.createAssistant, ({ caller, body }) => createAssistant(db, caller, body))
  serve(contract.createOfficeUser, ({ caller, body }) => createOfficeUser(db, caller, body))
  serve(contract.changeAssistantAreas, ({ caller, params, body }) =>
    changeAssistantAreas(db, caller, Number(params.user_id), body, endBegun),
  )
  serve(contract.changeOfficeRole, ({ caller, params, body }) =>
    changeOfficeRole(db, caller, Number(params.user_id), body, endBegun),
  )
  serve(contract.changeStaffStatus, ({ caller, params, body }) =>
    changeStaffStatus(db, caller, Number(params.user_id), body, endBegun),
  )
  serve(contract.resetAssistantPassword, ({ caller, params, body }) =>
    resetAssistantPassword(db, caller, Number(params.user_id), body),
  )
  serve(contract.endStaffSessions, ({ caller, params, body }) =>
    endStaffSessions(db, caller, Number(params.user_id), body.reason),
  )
}
