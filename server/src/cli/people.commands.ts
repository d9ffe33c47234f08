// The commands about members and agents: adding them, their credit limit, their status, their code.

import { randomUUID } from 'node:crypto'
import { parseArgs } from 'node:util'
import * as contract from '@megalot/contract'
import { userLevel, userStatus } from '@megalot/contract'
import { type Caller, refuseMoreThanOwn } from '../platform/caller.ts'
import type { Db } from '../platform/db.ts'
import {
  changeCreditLimit,
  changeOwnStatus,
  findUser,
  getAccessibleUser,
  permissionsOfLevel,
  refuseWeakPassword,
} from '../modules/accounts/index.ts'
import { givesCreditOf, refuseLevel, replaceAgentCodes } from '../modules/people/index.ts'
import { Refusal } from '../platform/refusal.ts'
import { authorise } from '../platform/serve.ts'
import { doOrPropose } from './approval.commands.ts'
import { type Command, readAs, readBaht, readReason, required, type SignedInCall, text } from './command.ts'
import { addUser, askNewPassword } from './users.ts'

async function addAccount({ db, args, caller, askSecret }: SignedInCall): Promise<string> {
  const options = { level: text, parent: text, credit: text }
  const { values, positionals } = parseArgs({ args, options, allowPositionals: true })
  const username = required(positionals[0], 'USERNAME')
  const level = userLevel.safeParse(required(values.level, '--level'))
  if (!level.success) throw new Error(`--level must be one of ${userLevel.options.join(', ')}`)
  const parent = required(values.parent, '--parent')
  const { user_id: parent_id, level: parentLevel } = await getAccessibleUser(db, caller, await findUserId(db, parent))
  refuseLevel(level.data, parentLevel)
  const credit_limit_satang = readBaht(values.credit ?? '0', '--credit')
  const refuse = (by: Caller): void => {
    // Whoever makes a user knows its password.
    refuseMoreThanOwn(by, permissionsOfLevel(level.data))
    if (credit_limit_satang === 0) return
    authorise(contract.changeCreditLimit, by)
    if (!givesCreditOf(by, parent_id)) throw new Refusal('permission_missing', { field: 'credit_limit_satang' })
  }
  refuse(caller)
  const password = await askNewPassword(askSecret, username)
  const person = { username, display_name: username, level: level.data, password, credit_limit_satang }
  readAs(contract.createPerson.body, { request_id: randomUUID(), ...person })
  refuseWeakPassword({ username, level: level.data, is_office: false }, password)
  const account = { username, level: level.data, parent, password, must_change_password: true }
  await addUser(db, { ...account, credit_limit_satang }, caller.actor_id, async (tx) =>
    refuse((await caller.verifyAgain?.(tx)) ?? caller),
  )
  return `${username}: added`
}

async function setCredit(call: SignedInCall): Promise<string> {
  const { db, args, caller } = call
  const { values, positionals } = parseArgs({ args, options: { credit: text, reason: text }, allowPositionals: true })
  const username = required(positionals[0], 'USERNAME')
  const { credit_limit_satang, reason } = readAs(contract.changeCreditLimit.body, {
    credit_limit_satang: readBaht(required(values.credit, '--credit'), '--credit'),
    reason: values.reason,
  })
  const user_id = await findUserId(db, username)
  const act = async (): Promise<string> => {
    await changeCreditLimit(db, caller, user_id, credit_limit_satang, reason)
    return `${username}: credit limit ${values.credit} Baht`
  }
  return doOrPropose(call, act, { kind: 'change_company_credit', payload: { credit_limit_satang }, reason })
}

async function setStatus({ db, args, caller }: SignedInCall): Promise<string> {
  const { values, positionals } = parseArgs({ args, options: { status: text, reason: text }, allowPositionals: true })
  const username = required(positionals[0], 'USERNAME')
  const status = userStatus.safeParse(required(values.status, '--status'))
  if (!status.success) throw new Error(`--status must be one of ${userStatus.options.join(', ')}`)
  const { reason } = readAs(contract.changeUserStatus.body, {
    own_status: status.data,
    reason: readReason(values.reason),
  })
  await changeOwnStatus(db, caller, await findUserId(db, username), status.data, reason)
  return `${username}: ${status.data}`
}

async function makeAgentCode({ db, args, caller }: SignedInCall): Promise<string> {
  const { values, positionals } = parseArgs({ args, options: { reason: text }, allowPositionals: true })
  const username = required(positionals[0], 'USERNAME')
  const user = await getAccessibleUser(db, caller, await findUserId(db, username))
  if (user.level === 'member' || user.is_office) throw new Error(`${username} cannot have members`)
  return `${username}: ${await replaceAgentCodes(db, caller, user.user_id, readReason(values.reason))}`
}

async function findUserId(db: Db, username: string): Promise<number> {
  const user = await findUser(db, { username })
  if (!user) throw new Error(`There is no user ${username}`)
  return user.user_id
}

/** That of the routes that change a user. */
const people = { access: 'console', needs: 'people.do' } as const

export const peopleCommands: Readonly<Record<string, Command>> = {
  'agent-code': {
    usage: 'agent-code USERNAME --reason TEXT',
    help: 'makes a new code with which people register under a user, with all its packages; codes it had are no longer good',
    authority: people,
    run: makeAgentCode,
  },
  'user-add': {
    usage: 'user-add USERNAME --level LEVEL --parent USERNAME [--credit BAHT]',
    help: 'adds a member, or an agent one level below its parent, with the packages of the parent; the password is for the first log-in alone',
    authority: people,
    run: addAccount,
  },
  'credit-set': {
    usage: 'credit-set USERNAME --credit BAHT [--reason TEXT]',
    help: 'sets the credit limit of a user, within what its parent has; that of the company is proposed to a second person',
    authority: contract.changeCreditLimit,
    run: setCredit,
  },
  'status-set': {
    usage: 'status-set USERNAME --status NORMAL|DISABLED_BET|SUSPENDED --reason TEXT',
    help: 'sets the status of a user; it holds for everybody under it too',
    authority: contract.changeUserStatus,
    run: setStatus,
  },
}
