import * as contract from '@megalot/contract'
import type { BulkOutcome, BulkResult, RefusalCode } from '@megalot/contract'
import type { FastifyReply } from 'fastify'
import { returnOutcome, serveChange } from '../../changes/index.ts'
import type { Db } from '../../postgres/db.ts'
import { readPage } from '../../http/page.ts'
import { languageOf, type Serve } from '../../http/serve.ts'
import { countReach } from '../accounts/index.ts'
import { refuseTooManyPackages } from '../../markets/index.ts'
import type { UseCache } from '../../betting/play-limits/index.ts'
import { createAgentCode, listAgentCodes, switchAgentCode } from './agent-codes.service.ts'
import { changeContact, getContactOfParent } from './contacts.service.ts'
import { changeCreditLimits } from './bulk/credit-limits.ts'
import { changeDisplayNames } from './bulk/display-names.ts'
import { changePackages } from './bulk/packages.ts'
import { resetPasswords } from './bulk/passwords.ts'
import { endPeopleSessions } from './bulk/sessions.ts'
import { changeStatuses } from './bulk/statuses.ts'
import { createPerson } from './new-person.service.ts'
import { listPeople } from './people.service.ts'
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
  serve(contract.getPerson, ({ caller, params }) => getPerson(lists, caller, Number(params.user_id), playUses))
  serve(contract.listPersonActs, ({ caller, params, query }) => {
    const before_id = query.before === undefined ? null : Number(query.before)
    return listPersonActs(lists, caller, Number(params.user_id), readPage(query).limit, before_id)
  })
  serveChange(
    { serve, db },
    contract.changeShareTerms,
    changeShareTerms,
    ({ params, body: { reason, ...terms } }) => ({ input: { user_id: Number(params.user_id), ...terms }, reason }),
    returnOutcome,
  )
  serve(contract.createPerson, async ({ caller, body }) => {
    const created = await createPerson(db, caller, body)
    onMailDue()
    return created
  })
  serve(contract.getContact, ({ caller }) => getContactOfParent(db, caller))
  serve(contract.changeContact, ({ caller, body }) => changeContact(db, caller, body))
  serveBulk(serve, db)
  serve(contract.listAgentCodes, ({ caller, query }) =>
    listAgentCodes(lists, caller, query.user_id === undefined ? undefined : Number(query.user_id)),
  )
  serve(contract.createAgentCode, ({ caller, body }) => createAgentCode(db, caller, body))
  serve(contract.switchAgentCode, ({ caller, params, body }) => switchAgentCode(db, caller, params.code, body))
}

function serveBulk(serve: Serve, db: Db): void {
  serve(contract.changeStatuses, async ({ caller, body, reply }) =>
    toResult(body, await changeStatuses(db, caller, body), reply),
  )
  serve(contract.changeCreditLimits, async ({ caller, body, reply }) =>
    toResult(body, await changeCreditLimits(db, caller, body), reply),
  )
  serve(contract.changePackages, async ({ caller, body, reply }) => {
    const { user_ids, packages } = body
    // Given to the named users alone, taken from all below them.
    const reach = body.change === 'give' ? user_ids.length : await countReach(db, caller, user_ids)
    refuseTooManyPackages(reach * packages.length)
    return toResult(body, await changePackages(db, caller, body), reply)
  })
  serve(contract.changeDisplayNames, async ({ caller, body, reply }) =>
    toResult(body, await changeDisplayNames(db, caller, body), reply),
  )
  serve(contract.resetPasswords, async ({ caller, body, reply }) =>
    toResult(body, await resetPasswords(db, caller, body), reply),
  )
  serve(contract.endPeopleSessions, async ({ caller, body, reply }) =>
    toResult(body, await endPeopleSessions(db, caller, body), reply),
  )
}

function toResult(
  { preview = false }: { preview?: boolean | undefined },
  outcomes: BulkOutcome[],
  reply: FastifyReply,
): BulkResult {
  const codes = new Set(outcomes.map(({ code }) => code))
  codes.delete('ok')
  const language = languageOf(reply.request)
  return {
    is_preview: preview,
    ok_count: outcomes.filter(({ code }) => code === 'ok').length,
    refused_count: outcomes.filter(({ code }) => code !== 'ok').length,
    outcomes,
    messages: [...codes].map((code) => ({ code, message: contract.refusals[code as RefusalCode][language] })),
  }
}
