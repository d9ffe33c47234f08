// The commands about office users and assistants.

import { parseArgs } from 'node:util'
import * as contract from '@megalot/contract'
import { area, type Area, officeRole, type OfficeRole, type StaffUser } from '@megalot/contract'
import {
  changeAssistantAreas,
  changeOfficeRole,
  changeStaffStatus,
  createAssistant,
  createOfficeUser,
  listStaff,
} from '../modules/staff/index.ts'
import { findUser } from '../modules/accounts/index.ts'
import { endBegun } from '../modules/approvals/index.ts'
import { doOrPropose, proposeFor } from './approval.commands.ts'
import {
  type Command,
  type CommandCall,
  readAs,
  readBaht,
  readReason,
  required,
  type SignedInCall,
  text,
} from './command.ts'
import { addFirstOwner, askNewPassword } from './users.ts'

async function addOwner({ db, args, askSecret }: CommandCall): Promise<string> {
  const { values, positionals } = parseArgs({ args, options: { company: text, credit: text }, allowPositionals: true })
  const username = required(positionals[0], 'USERNAME')
  const credit = { credit_limit_satang: readBaht(values.credit ?? '0', '--credit') }
  const { credit_limit_satang } = readAs(contract.changeCreditLimit.body, credit)
  const company = values.company ?? 'company'
  for (const name of [username, company]) readAs(contract.createOfficeUser.body, { username: name, display_name: name })
  const password = await askNewPassword(askSecret, username)
  await addFirstOwner(db, { username, password, company, credit_limit_satang })
  return `${username}: added as an owner`
}

async function showStaff({ db, caller }: SignedInCall): Promise<string> {
  const staff = await listStaff(db, caller)
  return staff.map(describe).join('\n') || 'nobody'
}

function describe({ username, office_role, principal, areas, own_status, status }: StaffUser): string {
  const power = office_role ?? `assistant of ${principal?.username}: ${areas?.join(', ')}`
  const state = status === 'SUSPENDED' ? '  SUSPENDED' : own_status === 'NORMAL' ? '' : `  ${own_status}`
  return `${username.padEnd(18)}${power}${state}`
}

async function addStaff(call: SignedInCall): Promise<string> {
  const { db, args, caller } = call
  const { values, positionals } = parseArgs({
    args,
    options: { role: text, name: text, reason: text },
    allowPositionals: true,
  })
  const username = required(positionals[0], 'USERNAME')
  const office_role = readRole(values.role)
  // Before the user is made: the proposal needs it.
  const reason = readReason(values.reason)
  const user = readAs(contract.createOfficeUser.body, { username, display_name: values.name ?? username })
  const made = await createOfficeUser(db, caller, user)
  if (office_role === 'none') return describe(made)
  const proposed = await proposeFor(call, 'grant_role', { user_id: made.user_id, office_role }, reason)
  return `${describe(made)}\n${proposed}`
}

async function addAssistant({ db, args, caller, askSecret }: SignedInCall): Promise<string> {
  const { values, positionals } = parseArgs({ args, options: { areas: text, name: text }, allowPositionals: true })
  const username = required(positionals[0], 'USERNAME')
  const areas = readAreas(values.areas)
  const password = await askNewPassword(askSecret, username)
  const user = { username, display_name: values.name ?? username, password, areas }
  return describe(await createAssistant(db, caller, readAs(contract.createAssistant.body, user)))
}

async function setRole(call: SignedInCall): Promise<string> {
  const options = { role: text, reason: text }
  const { values, positionals } = parseArgs({ args: call.args, options, allowPositionals: true })
  const office = { office_role: readRole(values.role), reason: readReason(values.reason) }
  const change = readAs(contract.changeOfficeRole.body, office)
  const user_id = await findStaffId(call, positionals[0])
  const act = async (): Promise<string> =>
    describe(await changeOfficeRole(call.db, call.caller, user_id, change, endBegun))
  const { office_role, reason } = change
  return doOrPropose(call, act, { kind: 'grant_role', payload: { user_id, office_role }, reason })
}

async function setAreas(call: SignedInCall): Promise<string> {
  const options = { areas: text, reason: text }
  const { values, positionals } = parseArgs({ args: call.args, options, allowPositionals: true })
  const areas = { areas: readAreas(values.areas), reason: readReason(values.reason) }
  const change = readAs(contract.changeAssistantAreas.body, areas)
  const user_id = await findStaffId(call, positionals[0])
  return describe(await changeAssistantAreas(call.db, call.caller, user_id, change, endBegun))
}

async function setStaffStatus(call: SignedInCall): Promise<string> {
  const options = { status: text, reason: text }
  const { values, positionals } = parseArgs({ args: call.args, options, allowPositionals: true })
  const own_status = required(values.status, '--status')
  if (own_status !== 'NORMAL' && own_status !== 'SUSPENDED') throw new Error('--status must be NORMAL or SUSPENDED')
  const change = readAs(contract.changeStaffStatus.body, { own_status, reason: readReason(values.reason) })
  return describe(
    await changeStaffStatus(call.db, call.caller, await findStaffId(call, positionals[0]), change, endBegun),
  )
}

async function proposeFactorReset(call: SignedInCall): Promise<string> {
  const { values, positionals } = parseArgs({ args: call.args, options: { reason: text }, allowPositionals: true })
  const username = required(positionals[0], 'USERNAME')
  const user = await findUser(call.db, { username })
  if (!user) throw new Error(`There is no user ${username}`)
  return proposeFor(call, 'reset_factors', { user_id: user.user_id }, values.reason)
}

async function proposePasswordReset(call: SignedInCall): Promise<string> {
  const { values, positionals } = parseArgs({ args: call.args, options: { reason: text }, allowPositionals: true })
  const user_id = await findStaffId(call, positionals[0])
  return proposeFor(call, 'reset_password', { user_id }, values.reason)
}

async function findStaffId({ db, caller }: SignedInCall, name: string | undefined): Promise<number> {
  const username = required(name, 'USERNAME')
  const found = (await listStaff(db, caller)).find((one) => one.username === username.toLowerCase())
  if (!found) throw new Error(`${username} is not of your staff`)
  return found.user_id
}

function readRole(value: string | undefined): OfficeRole {
  const role = officeRole.safeParse(required(value, '--role'))
  if (!role.success) throw new Error(`--role must be one of ${officeRole.options.join(', ')}`)
  return role.data
}

function readAreas(value: string | undefined): Area[] {
  return required(value, '--areas')
    .split(',')
    .map((word) => {
      const one = area.safeParse(word.trim())
      if (!one.success) throw new Error(`--areas must be of ${area.options.join(', ')}`)
      return one.data
    })
}

export const staffCommands: Readonly<Record<string, Command>> = {
  'owner-add': {
    usage: 'owner-add USERNAME [--company USERNAME] [--credit BAHT]',
    help: 'first start: makes an owner of the office as long as there are fewer than two, suspended or not, and the company where there is none; nobody signs in',
    // The application makes nobody an owner without the approval of two.
    authority: null,
    isOwners: true,
    run: addOwner,
  },
  'staff-list': {
    usage: 'staff-list',
    help: 'your assistants; for the office all office users and their assistants',
    authority: contract.listStaff,
    run: showStaff,
  },
  'staff-add': {
    usage: 'staff-add USERNAME --role ROLE --reason TEXT [--name TEXT]',
    help: `adds an office user without a role, and proposes the role to a second person, one of ${officeRole.options.join(', ')}; each of you is shown a half of the one-time password`,
    authority: contract.createOfficeUser,
    run: addStaff,
  },
  'assistant-add': {
    usage: 'assistant-add USERNAME --areas AREA[,AREA] [--name TEXT]',
    help: `adds a user who acts for you in some of your areas: ${area.options.join(', ')}`,
    authority: contract.createAssistant,
    run: addAssistant,
  },
  'staff-role': {
    usage: 'staff-role USERNAME --role ROLE --reason TEXT',
    help: 'sets the role of an office user; one that may do more, or another one for an owner, is proposed to a second person',
    authority: contract.changeOfficeRole,
    run: setRole,
  },
  'staff-areas': {
    usage: 'staff-areas USERNAME --areas AREA[,AREA] --reason TEXT',
    help: 'sets the areas of an assistant',
    authority: contract.changeAssistantAreas,
    run: setAreas,
  },
  'staff-status': {
    usage: 'staff-status USERNAME --status NORMAL|SUSPENDED --reason TEXT',
    help: 'suspends an office user or an assistant, or lifts it; an owner loses its role instead: staff-role',
    authority: contract.changeStaffStatus,
    run: setStaffStatus,
  },
  'password-reset': {
    usage: 'password-reset USERNAME --reason TEXT',
    help: 'proposes to a second person that an office user, who has lost its password, gets a one-time password; each of you is shown a half of it',
    authority: contract.proposeApproval,
    run: proposePasswordReset,
  },
  'factors-reset': {
    usage: 'factors-reset USERNAME --reason TEXT',
    help: 'proposes to a second person that all second factors of a user, who has lost them, are removed',
    authority: contract.proposeApproval,
    run: proposeFactorReset,
  },
}
