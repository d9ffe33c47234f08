// The office's commands about users: adding them, their credit limit, their status.

import { parseArgs } from 'node:util'
import { userLevel, userStatus } from '@megalot/contract'
import type { Db } from '../platform/db.ts'
import {
  changeCreditLimit,
  changeOwnStatus,
  findUser,
  refuseWeakPassword,
  renewAgentCode,
} from '../modules/accounts/index.ts'
import { type Command, type CommandCall, flag, readBaht, required, signInAs, text } from './command.ts'
import { addUser } from './users.ts'

async function addAccount({ db, args, askSecret }: CommandCall): Promise<string> {
  const options = { level: text, parent: text, credit: text, office: flag }
  const { values, positionals } = parseArgs({ args, options, allowPositionals: true })
  const username = required(positionals[0], 'USERNAME')
  const level = userLevel.safeParse(values.office ? 'company' : required(values.level, '--level'))
  if (!level.success) throw new Error(`--level must be one of ${userLevel.options.join(', ')}`)
  const credit_limit_satang = readBaht(values.credit ?? '0', '--credit')
  const password = await askSecret(`Password for ${username}: `)
  if (password.length < 4 || password.length > 100) throw new Error('A password has 4 to 100 characters')
  const is_office = values.office ?? false
  const account = {
    username,
    level: level.data,
    is_office,
    parent: values.parent,
    password,
    must_change_password: true,
  }
  refuseWeakPassword(account, password)
  await addUser(db, { ...account, credit_limit_satang })
  return `${username}: added`
}

async function setCredit({ db, args, askSecret }: CommandCall): Promise<string> {
  const options = { as: text, credit: text, reason: text }
  const { values, positionals } = parseArgs({ args, options, allowPositionals: true })
  const username = required(positionals[0], 'USERNAME')
  const credit_limit_satang = readBaht(required(values.credit, '--credit'), '--credit')
  const actor = { user_id: await signInAs(db, values.as, askSecret), is_office: true }
  await changeCreditLimit(db, actor, await findUserId(db, username), credit_limit_satang, values.reason)
  return `${username}: credit limit ${values.credit} Baht`
}

async function setStatus({ db, args, askSecret }: CommandCall): Promise<string> {
  const options = { as: text, status: text, reason: text }
  const { values, positionals } = parseArgs({ args, options, allowPositionals: true })
  const username = required(positionals[0], 'USERNAME')
  const status = userStatus.safeParse(required(values.status, '--status'))
  if (!status.success) throw new Error(`--status must be one of ${userStatus.options.join(', ')}`)
  const reason = required(values.reason, '--reason')
  const actor = { user_id: await signInAs(db, values.as, askSecret), is_office: true }
  await changeOwnStatus(db, actor, await findUserId(db, username), status.data, reason)
  return `${username}: ${status.data}`
}

async function makeAgentCode({ db, args, askSecret }: CommandCall): Promise<string> {
  const { values, positionals } = parseArgs({ args, options: { as: text }, allowPositionals: true })
  const username = required(positionals[0], 'USERNAME')
  const actor_id = await signInAs(db, values.as, askSecret)
  const user = await findUser(db, { username })
  if (!user) throw new Error(`There is no user ${username}`)
  if (user.level === 'member' || user.is_office) throw new Error(`${username} cannot have members`)
  return `${username}: ${await renewAgentCode(db, actor_id, user.user_id)}`
}

async function findUserId(db: Db, username: string): Promise<number> {
  const user = await findUser(db, { username })
  if (!user) throw new Error(`There is no user ${username}`)
  return user.user_id
}

export const peopleCommands: Readonly<Record<string, Command>> = {
  'agent-code': {
    usage: 'agent-code USERNAME --as OFFICE_USER',
    help: 'makes a new code with which people register under a user; codes it had are no longer good',
    run: makeAgentCode,
  },
  'user-add': {
    usage: 'user-add USERNAME (--office | --level LEVEL) [--parent USERNAME] [--credit BAHT]',
    help: 'adds a user with the packages of its parent; the password is for the first log-in, where the user sets an own one',
    run: addAccount,
  },
  'credit-set': {
    usage: 'credit-set USERNAME --as OFFICE_USER --credit BAHT [--reason TEXT]',
    help: 'sets the credit limit of a user, within what its parent has',
    run: setCredit,
  },
  'status-set': {
    usage: 'status-set USERNAME --as OFFICE_USER --status NORMAL|DISABLED_BET|SUSPENDED --reason TEXT',
    help: 'sets the status of a user; it holds for everybody under it too',
    run: setStatus,
  },
}
