import * as contract from '@megalot/contract'
import type { BulkOutcome, BulkResult, RefusalCode } from '@megalot/contract'
import { carryOut, type Change, previewChange, returnOutcome, serveChange, splitReason } from '../../changes/index.ts'
import type { Db } from '../../postgres/db.ts'
import { readPage } from '../../http/page.ts'
import { type Call, languageOf, type Serve } from '../../http/serve.ts'
import type { UseCache } from '../../betting/play-limits/index.ts'
import { createAgentCode, listAgentCodes, switchAgentCode } from './agent-codes.service.ts'
import { changeContact, changeContactNote, getContactOfParent } from './contacts.service.ts'
import { changeCreditLimits } from './bulk/credit-limits.ts'
import { changeDisplayNames } from './bulk/display-names.ts'
import { changePackages } from './bulk/packages.ts'
import { resetPasswords } from './bulk/passwords.ts'
import { endPeopleSessions } from './bulk/sessions.ts'
import { changeStatuses } from './bulk/statuses.ts'
import { createMembers, previewMembers } from './new-members.ts'
import { createPerson } from './new-person.service.ts'
import { getPersonRow, listPeople, sumPeople } from './people.service.ts'
import { getPerson, listPersonActs } from './profile.service.ts'
import { changeShareTerms } from './share-changes.ts'

/**
 * @param lists connections whose queries are planned for their own values: downlines differ in size by thousands
 * @param onMailDue called when a mail is due
 */
export function servePeople(serve: Serve, db: Db, lists: Db, playUses: UseCache, onMailDue: () => void): void {
  serve(contract.listPeople, ({ caller, query }) => {
    const { limit, offset } = readPage(query)
    return listPeople(lists, caller, query, limit, offset)
  })
  serve(contract.sumPeople, ({ caller, query }) => sumPeople(lists, caller, query))
  serve(contract.getPerson, ({ caller, params }) => getPerson(lists, caller, Number(params.user_id), playUses))
  serve(contract.listPersonActs, ({ caller, params, query }) => {
    const before_id = query.before === undefined ? null : Number(query.before)
    return listPersonActs(lists, caller, Number(params.user_id), readPage(query).limit, before_id)
  })
  const at = { serve, db }
  serveChange(
    at,
    contract.changeShareTerms,
    changeShareTerms,
    ({ params, body: { reason, ...terms } }) => ({ input: { user_id: Number(params.user_id), ...terms }, reason }),
    returnOutcome,
  )
  serveChange(at, contract.createPerson, createPerson, splitReason, async (user_id, caller) => {
    onMailDue()
    return getPersonRow(db, caller, user_id)
  })
  serve(contract.createMembers, async ({ caller, body, reply }) => {
    const is_preview = body.preview === true
    const outcomes = await (is_preview ? previewMembers : createMembers)(db, caller, body)
    return { is_preview, outcomes, messages: messagesOf(outcomes, languageOf(reply.request)) }
  })
  serve(contract.getContact, ({ caller }) => getContactOfParent(db, caller))
  serveChange(at, contract.changeContact, changeContact, ({ body }) => ({ input: body }), returnOutcome)
  serveChange(
    at,
    contract.changeContactNote,
    changeContactNote,
    ({ params, body }) => ({ input: { user_id: Number(params.user_id), ...body } }),
    returnOutcome,
  )
  serveBulk(at)
  serve(contract.listAgentCodes, ({ caller, query }) =>
    listAgentCodes(lists, caller, query.user_id === undefined ? undefined : Number(query.user_id)),
  )
  serveChange(at, contract.createAgentCode, createAgentCode, ({ body }) => ({ input: body }), returnOutcome)
  serveChange(
    at,
    contract.switchAgentCode,
    switchAgentCode,
    ({ params, body: { reason, is_active } }) => ({ input: { ...params, is_active }, reason }),
    returnOutcome,
  )
}

function serveBulk(at: { serve: Serve; db: Db }): void {
  serveBulkChange(at, contract.changeStatuses, changeStatuses)
  serveBulkChange(at, contract.changeCreditLimits, changeCreditLimits)
  serveBulkChange(at, contract.changePackages, changePackages)
  serveBulkChange(at, contract.changeDisplayNames, changeDisplayNames)
  serveBulkChange(at, contract.resetPasswords, resetPasswords)
  serveBulkChange(at, contract.endPeopleSessions, endPeopleSessions)
}

interface Outcomes {
  outcomes: BulkOutcome[]
}

/** Serves a change of many users, and its preview. */
export function serveBulkChange<Input extends object, Found, State, Plan extends Outcomes, Ready>(
  { serve, db }: { serve: Serve; db: Db },
  route: contract.Route & { reply: typeof contract.bulkResult },
  change: Change<Input, Found, State, Plan, Ready, BulkOutcome[]>,
): void {
  const handler = async ({ caller, body, reply }: Call<typeof contract.changeStatuses>) => {
    const { request_id, preview = false, reason, ...input } = body
    const call = { caller, input: input as unknown as Input, reason, request_id }
    const outcomes = preview ? (await previewChange(db, change, call)).plan.outcomes : await carryOut(db, change, call)
    return toResult(preview, outcomes!, languageOf(reply.request))
  }
  serve(route as typeof contract.changeStatuses, handler)
}

function toResult(is_preview: boolean, outcomes: BulkOutcome[], language: contract.Language): BulkResult {
  return {
    is_preview,
    ok_count: outcomes.filter(({ code }) => code === 'ok').length,
    refused_count: outcomes.filter(({ code }) => code !== 'ok').length,
    outcomes,
    messages: messagesOf(outcomes, language),
  }
}

function messagesOf(outcomes: readonly { code: string }[], language: contract.Language): BulkResult['messages'] {
  const codes = new Set(outcomes.map(({ code }) => code))
  codes.delete('ok')
  return [...codes].map((code) => ({ code, message: contract.refusals[code as RefusalCode][language] }))
}
