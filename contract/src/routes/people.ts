// The people of the house in the console: tree, list and profile of a downline, new members and agents, changes to one
// or many users, and agent codes for registration.

import * as z from 'zod/mini'
import * as calls from '../calls/people.ts'
import { defineRoute } from '../route.ts'
import { agentCode, phone } from './credentials.ts'
import { MAX_CREDIT_SATANG, shareTerms, STEP_UP_CREDIT_SATANG } from './downline.ts'
import { namedPackage, namedPackages, userPackage } from './markets.ts'
import { playLimits } from './play-limits.ts'
import { shownCredit } from './sessions.ts'
import {
  displayName,
  email,
  freeText,
  instant,
  packageCode,
  pageNumber,
  password,
  pathId,
  productCode,
  queryNumber,
  reason,
  requestId,
  signedSatang,
  user,
  userLevel,
  username,
  userStatus,
} from '../wire.ts'
import {
  CONTACT_NOTE_LENGTH,
  CONTACT_TAG_FORM,
  LINE_ID_FORM,
  MAX_CONTACT_TAGS,
  REGISTRATIONS_PER_DAY,
  MAX_BULK_ROWS,
} from '../limits.ts'

/**
 * A user of a downline: a member, an agent of any level, or the company. Office users and assistants are not among
 * them.
 */
export const person = z.strictObject({
  user_id: user.shape.user_id,
  username: user.shape.username,
  display_name: user.shape.display_name,
  level: userLevel,
  /** Both null for the company, and in the caller's own profile, because agents may not see who is above them. */
  parent_id: z.nullable(z.int()),
  parent_username: z.nullable(z.string()),
  /** Members below, at all levels. */
  member_count: z.int(),
  agent_count: z.int(),
  /** The status set on this user; `status` is the strictest of it and its uplines' statuses. */
  own_status: userStatus,
  status: userStatus,
  ...shownCredit.shape,
  /**
   * Wins less payments of the member, or of all members below, in periods settled in the last seven days in Bangkok,
   * including today. Null without `reports.view`.
   */
  net_7_days_satang: z.nullable(signedSatang),
  /** What the user owes its parent; below 0 what it is owed. Without open stakes. Null for the company, and without `money.view`. */
  owed_satang: z.nullable(signedSatang),
  /** Null without `terms.view`. */
  package_count: z.nullable(z.int()),
  created_at: instant,
  /** When the member last placed a ticket. Null for never, for other users, and without `tickets.view`. */
  last_bet_at: z.nullable(instant),
  /** Null if never. */
  last_log_in_at: z.nullable(instant),
  /** The user has an open session and was active in it within the last `ONLINE_MINUTES`. */
  is_online: z.boolean(),
  /** The code the member registered with; null if someone else created the member. */
  agent_code: z.nullable(z.string()),
  /** Set by its uplines; empty in the caller's own profile. */
  tags: z.array(z.string()),
})
export type Person = z.output<typeof person>

/** A user who has been inactive for this long counts as offline, even with an open session. */
export const ONLINE_MINUTES = 5

/**
 * Users who have never logged in come first in `last_log_in_at`. Sorting by credit limit requires permission to view
 * credit.
 */
export const personSort = z.enum(['username', 'display_name', 'created_at', 'last_log_in_at', 'credit_limit'])
/** Sorts by figures that bets change. No index has them, so at most `MAX_FOUND_ROWS` users are sorted. */
export const personFigureSort = z.enum(['used', 'net', 'last_bet', 'owed'])
export type PersonSort = z.output<typeof personSort>
export type PersonFigureSort = z.output<typeof personFigureSort>

/** What narrows the list of people. A change of many users takes it in place of their ids. */
export const peopleFilter = z.strictObject({
  /** Part of the username, the name, the phone number or the LINE id, case-insensitive. */
  search: z.optional(freeText(1, 100)),
  level: z.optional(userLevel),
  /** The status in force. */
  status: z.optional(userStatus),
  /** Only users with this package; both fields or neither. With `terms.view`. */
  product_code: z.optional(productCode),
  package_code: z.optional(packageCode),
  is_online: z.optional(z.enum(['true', 'false'])),
  /** Only users who registered with this code. */
  agent_code: z.optional(agentCode),
  /** Users who use some of their credit, or at least 80 % of their limit. With `credit.view`. */
  used: z.optional(z.enum(['some', 'most'])),
  /** The sign of the net of the last seven days. With `reports.view`. */
  net: z.optional(z.enum(['won', 'lost'])),
  /** Users who owe their parent, or are owed. With `money.view`. */
  owed: z.optional(z.enum(['collect', 'pay'])),
  /** Members without a ticket in so many days. With `tickets.view`. */
  idle_days: z.optional(z.enum(['7', '30'])),
  /** Only users with this tag. */
  tag: z.optional(z.string().check(z.regex(CONTACT_TAG_FORM))),
})
export type PeopleFilter = z.output<typeof peopleFilter>

export const listPeople = defineRoute({
  ...calls.listPeople,
  access: 'console',
  needs: 'people.view',
  summary: "A page of the caller's downline, or of a node of its tree, and how many match; the office sees everybody",
  query: z.strictObject({
    /** Only the direct children of this user, for a node of the tree. */
    parent_id: z.optional(pathId),
    ...peopleFilter.shape,
    sort: z.optional(z.enum([...personSort.options, ...personFigureSort.options])),
    order: z.optional(z.enum(['asc', 'desc'])),
    page: z.optional(pageNumber),
    ipp: z.optional(queryNumber),
  }),
  reply: z.array(person),
  top_level: z.strictObject({
    /** Count over all pages. */
    total_count: z.int(),
    /** The user whose children form the first level of the caller's tree. */
    root_id: z.int(),
  }),
})

export const peopleSums = z.strictObject({
  /** Null without `credit.view`. */
  credit_limit_satang: z.nullable(z.int()),
  credit_used_satang: z.nullable(z.int()),
  held_satang: z.nullable(z.int()),
  /** Null without `reports.view`. */
  net_7_days_satang: z.nullable(signedSatang),
  /** Over all levels, so an agent counts beside its members. Null without `money.view`. */
  owed_satang: z.nullable(signedSatang),
})
export type PeopleSums = z.output<typeof peopleSums>

export const sumPeople = defineRoute({
  ...calls.sumPeople,
  price: 'report',
  access: 'console',
  needs: 'people.view',
  summary:
    'Sums over all users of the downline who match, at most `MAX_FOUND_ROWS`; with agents among them, their own amounts count as well',
  query: peopleFilter,
  reply: peopleSums,
})

export const personSession = z.strictObject({
  started_at: instant,
  last_active_at: instant,
  /** Null if open. */
  ended_at: z.nullable(instant),
  end_reason: z.nullable(z.string()),
})

/** How members can contact their agent. */
export const agentContact = z.strictObject({
  name: z.string(),
  line_id: z.nullable(z.string()),
  phone: z.nullable(z.string()),
})
export type AgentContact = z.output<typeof agentContact>

/** A short word that an upline gives to people, such as "pays late". */
const contactTag = z.string().check(z.regex(CONTACT_TAG_FORM))

/** What uplines keep about a user below them. The user itself never sees it. */
export const contactNote = z.strictObject({
  phone: z.nullable(z.string()),
  line_id: z.nullable(z.string()),
  note: z.string(),
  tags: z.array(z.string()),
})
export type ContactNote = z.output<typeof contactNote>

export const personProfile = z.strictObject({
  ...person.shape,
  /** From the highest one visible to the caller down to the parent. */
  uplines: z.array(z.strictObject({ user_id: z.int(), username: z.string(), level: userLevel })),
  /** Both null without `terms.view`. */
  packages: z.nullable(z.array(userPackage)),
  share: z.nullable(shareTerms),
  /**
   * Range for the user's credit limit, given its parent's and its children's limits. The least exceeds the most if no
   * limit can be set: after a corrected result the user owes more than its limit, and its parent cannot cover that.
   * Null without `credit.view`.
   */
  credit_range: z.nullable(z.strictObject({ least_satang: z.int(), most_satang: z.int() })),
  /** The last twenty, newest first. */
  sessions: z.array(personSession),
  /**
   * The member's own limits and what its tickets have used of them. Null for other users, and without `tickets.view`.
   */
  play_limits: z.nullable(playLimits),
  /** Kept by its uplines. Null in the caller's own profile. `phone` defaults to the one it registered with. */
  contact_note: z.nullable(contactNote),
  /** The contact of an agent that has set one. */
  contact: z.nullable(agentContact),
  /** Whether the caller may change the user. Callers cannot change themselves or the company. */
  can_change: z.boolean(),
})
export type PersonProfile = z.output<typeof personProfile>

export const getPerson = defineRoute({
  ...calls.getPerson,
  access: 'console',
  needs: 'people.view',
  summary:
    'What the console shows of a user: the caller itself, its downline, or anybody for the office; credit, terms, play limits and net only to who may view these',
  params: z.strictObject({ user_id: pathId }),
  reply: personProfile,
})

export const getContact = defineRoute({
  ...calls.getContact,
  access: 'member',
  summary: 'How the caller reaches its agent; null where the agent has set no contact',
  reply: z.nullable(agentContact),
})

export const changeContact = defineRoute({
  ...calls.changeContact,
  access: 'console',
  needs: 'people.do',
  summary: 'Sets the contact shown to direct members of the caller; for the office, of the company',
  body: z.strictObject({
    name: displayName,
    line_id: z.optional(z.string().check(z.regex(LINE_ID_FORM))),
    phone: z.optional(phone),
  }),
  reply: agentContact,
})

export const changeContactNote = defineRoute({
  ...calls.changeContactNote,
  access: 'console',
  needs: 'people.do',
  summary: "Sets what uplines and the office keep about a user of the caller's downline: phone, LINE id, note and tags",
  params: z.strictObject({ user_id: pathId }),
  body: z.strictObject({
    phone: z.optional(phone),
    line_id: z.optional(z.string().check(z.regex(LINE_ID_FORM))),
    note: z.optional(z.string().check(z.maxLength(CONTACT_NOTE_LENGTH))),
    tags: z.optional(z.array(contactTag).check(z.maxLength(MAX_CONTACT_TAGS))),
  }),
  reply: contactNote,
})

const named = z.strictObject({ user_id: z.int(), username: z.string(), display_name: z.string() })

export const personAct = z.strictObject({
  audit_id: z.int(),
  at: instant,
  action: z.string(),
  /** Null for the system, for the office if the reader is not of it, and for a user above the reader. */
  actor: z.nullable(named),
  /** Whether an office user did it. */
  is_by_office: z.boolean(),
  /** The level of the actor if it is above the reader; otherwise null. */
  above_level: z.nullable(userLevel),
  /** The assistant's principal; null if an assistant did not act. */
  principal: z.nullable(named),
  before: z.nullable(z.record(z.string(), z.unknown())),
  after: z.nullable(z.record(z.string(), z.unknown())),
  reason: z.nullable(z.string()),
})
export type PersonAct = z.output<typeof personAct>

export const listPersonActs = defineRoute({
  ...calls.listPersonActs,
  access: 'console',
  needs: 'audit.view',
  summary: 'Everything that was done to a user or by its own account, newest first',
  params: z.strictObject({ user_id: pathId }),
  query: z.strictObject({ before: z.optional(pathId), ipp: z.optional(queryNumber) }),
  reply: z.array(personAct),
})

const creditLimit = z.int().check(z.minimum(0), z.maximum(MAX_CREDIT_SATANG))

export const createPerson = defineRoute({
  ...calls.createPerson,
  body_bytes: 128 * 1024,
  access: 'console',
  needs: 'people.do',
  step_up: { above: { credit_limit_satang: STEP_UP_CREDIT_SATANG } },
  summary:
    'Makes a member or an agent, with credit out of that of the parent, and the levels that are missing between them; sent again it returns the same user',
  body: z.strictObject({
    request_id: requestId,
    /** Defaults to the caller; for the office, the company. */
    parent_id: z.optional(z.int().check(z.minimum(1), z.maximum(9_007_199_254_740_991))),
    level: userLevel,
    username,
    display_name: displayName,
    /** A one-time password that the user replaces at the first log-in. For an agent it must not be easy to guess. */
    password,
    /** The user whose credit limit, packages and shares are the defaults of the new one. */
    copy_from: z.optional(z.int().check(z.minimum(1), z.maximum(9_007_199_254_740_991))),
    /** Defaults to that of `copy_from`, otherwise 0. */
    credit_limit_satang: z.optional(creditLimit),
    /** Defaults to those of `copy_from` that the parent has, otherwise to all of the parent's. */
    packages: z.optional(z.array(namedPackage).check(z.maxLength(200))),
    /** For an agent, defaults to that of `copy_from`, otherwise 0. */
    position_rate: z.optional(shareTerms.shape.position_rate),
    /** For an agent, defaults to that of `copy_from`, or to the position if that is higher. */
    line_rate: z.optional(shareTerms.shape.line_rate),
    commission_rate: z.optional(shareTerms.shape.commission_rate),
    /** A member's address, to which a verification link is mailed. */
    email: z.optional(email),
  }),
  reply: person,
})

export const bulkOutcome = z.strictObject({
  user_id: z.int(),
  /** Absent if the caller may not change the user. */
  username: z.optional(z.string()),
  /** `ok`, or the refusal's code. */
  code: z.string(),
  /** The refusal's details. */
  details: z.record(z.string(), z.unknown()),
  /** The changed fields; empty for a refused row. */
  before: z.record(z.string(), z.unknown()),
  after: z.record(z.string(), z.unknown()),
  /** How many users below are affected as well. */
  below_count: z.int(),
})
export type BulkOutcome = z.output<typeof bulkOutcome>

export const bulkResult = z.strictObject({
  is_preview: z.boolean(),
  ok_count: z.int(),
  refused_count: z.int(),
  /** One per user, in the order of the call. */
  outcomes: z.array(bulkOutcome),
  /** Messages for the codes that occur, in the caller's language. */
  messages: z.array(z.strictObject({ code: z.string(), message: z.string() })),
})
export type BulkResult = z.output<typeof bulkResult>

/** The most users whom a filter may find. */
export const MAX_FOUND_ROWS = 5_000
/** Lower limit for rows with a password, because each hash takes tens of milliseconds of CPU. */
export const MAX_BULK_PASSWORDS = 20

const userId = z.int().check(z.minimum(1), z.maximum(9_007_199_254_740_991))
const userIds = z.array(userId).check(z.minLength(1), z.maxLength(MAX_BULK_ROWS))
const bulkCall = {
  request_id: requestId,
  /** If true, returns the outcome of each row without writing anything. */
  preview: z.optional(z.boolean()),
  reason,
}
/** Users by id, or by a filter of the list. Exactly one of them. */
const bulkUsers = {
  user_ids: z.optional(userIds),
  /** Only users who still match under the lock change. Fails with `too_many_found` above `MAX_FOUND_ROWS`. */
  filter: z.optional(peopleFilter),
}
const bulkRules = 'Outcome per row; sent again with its request_id it returns the same outcome'

export const changeStatuses = defineRoute({
  ...calls.changeStatuses,
  body_bytes: 32 * 1024,
  price: 'report',
  access: 'console',
  needs: 'people.do',
  summary: `Sets the status of users of the caller's downline. ${bulkRules}`,
  body: z.strictObject({ ...bulkCall, ...bulkUsers, own_status: userStatus }),
  reply: bulkResult,
})

export const changeCreditLimits = defineRoute({
  ...calls.changeCreditLimits,
  body_bytes: 128 * 1024,
  price: 'report',
  access: 'console',
  needs: 'credit.do',
  step_up: { above: { credit_limit_satang: STEP_UP_CREDIT_SATANG } },
  summary: `Sets the credit limits of the caller's children, or of anybody for the office, row by row out of what each parent has. ${bulkRules}`,
  body: z.strictObject({
    ...bulkCall,
    /** Either rows, or a filter with one change for all users that it finds. */
    rows: z.optional(
      z
        .array(
          z.strictObject({
            user_id: userId,
            credit_limit_satang: creditLimit,
            /**
             * The limit that the new one was computed from. The row is refused with `credit_limit_changed` if it has
             * changed since.
             */
            seen_satang: z.optional(creditLimit),
          }),
        )
        .check(z.minLength(1), z.maxLength(MAX_BULK_ROWS)),
    ),
    filter: z.optional(peopleFilter),
    /** Sets each limit to the amount, adds it, or takes it; no limit falls below 0. */
    change: z.optional(z.strictObject({ mode: z.enum(['set', 'add', 'take']), amount_satang: creditLimit })),
  }),
  reply: bulkResult,
})

export const changePackages = defineRoute({
  ...calls.changePackages,
  body_bytes: 128 * 1024,
  price: 'report',
  access: 'console',
  needs: 'terms.do',
  summary: `Gives packages to users of the caller's downline, or takes them from these and everybody below. Existing tickets keep their terms. ${bulkRules}`,
  body: z.strictObject({
    ...bulkCall,
    ...bulkUsers,
    change: z.enum(['give', 'take']),
    packages: namedPackages,
  }),
  reply: bulkResult,
})

export const changeDisplayNames = defineRoute({
  ...calls.changeDisplayNames,
  body_bytes: 512 * 1024,
  price: 'report',
  access: 'console',
  needs: 'people.do',
  summary: `Sets the names of users of the caller's downline. ${bulkRules}`,
  body: z.strictObject({
    ...bulkCall,
    rows: z
      .array(z.strictObject({ user_id: userId, display_name: displayName }))
      .check(z.minLength(1), z.maxLength(MAX_BULK_ROWS)),
  }),
  reply: bulkResult,
})

export const resetPasswords = defineRoute({
  ...calls.resetPasswords,
  price: 'report',
  access: 'console',
  needs: 'people.do',
  step_up: true,
  summary: `Sets one-time passwords for users of the caller's downline, ends their sessions, and suspends the assistants of agents. ${bulkRules}`,
  body: z.strictObject({
    ...bulkCall,
    rows: z.array(z.strictObject({ user_id: userId, password })).check(z.minLength(1), z.maxLength(MAX_BULK_PASSWORDS)),
  }),
  reply: bulkResult,
})

export const endPeopleSessions = defineRoute({
  ...calls.endPeopleSessions,
  body_bytes: 32 * 1024,
  price: 'report',
  access: 'console',
  needs: 'people.do',
  summary: `Ends the sessions of users of the caller's downline, who may log in again. ${bulkRules}`,
  body: z.strictObject({ ...bulkCall, ...bulkUsers }),
  reply: bulkResult,
})

/** The most members in a call, because each password hash takes tens of milliseconds of CPU. */
export const MAX_NEW_MEMBERS = 50

export const newMemberOutcome = z.strictObject({
  username: z.string(),
  /** Null for a refused row, and in a preview. */
  user_id: z.nullable(z.int()),
  /** `ok`, or the refusal's code. */
  code: z.string(),
  details: z.record(z.string(), z.unknown()),
})
export type NewMemberOutcome = z.output<typeof newMemberOutcome>

export const createMembers = defineRoute({
  ...calls.createMembers,
  body_bytes: 32 * 1024,
  price: 'report',
  access: 'console',
  needs: 'people.do',
  step_up: { above: { credit_limit_satang: STEP_UP_CREDIT_SATANG } },
  summary:
    'Makes members, each as `createPerson` does, one after another out of what the parent has. Outcome per row; sent again it makes nobody twice',
  body: z.strictObject({
    request_id: requestId,
    /** If true, returns the outcome of each row without writing anything. */
    preview: z.optional(z.boolean()),
    /** Defaults to the caller; for the office, the company. */
    parent_id: z.optional(userId),
    rows: z
      .array(
        z.strictObject({
          username,
          display_name: displayName,
          /** A one-time password. */
          password,
          credit_limit_satang: creditLimit,
        }),
      )
      .check(z.minLength(1), z.maxLength(MAX_NEW_MEMBERS)),
  }),
  reply: z.strictObject({
    is_preview: z.boolean(),
    outcomes: z.array(newMemberOutcome),
    messages: bulkResult.shape.messages,
  }),
})

export const agentCodeRecord = z.strictObject({
  code: z.string(),
  user_id: z.int(),
  username: z.string(),
  is_active: z.boolean(),
  created_at: instant,
  /** Path of the registration page in the web application, for links and QR codes. */
  link: z.string(),
  /**
   * Packages of members who register with it; null for all packages of the agent. Absent if the caller lacks
   * `terms.view`.
   */
  packages: z.optional(z.nullable(z.array(userPackage))),
  /** Null if the caller lacks `credit.view`. */
  opening_credit_satang: z.nullable(z.int()),
  /** How many members have registered with it. */
  member_count: z.int(),
  /** Registrations allowed per day in Bangkok. */
  registrations_per_day: z.int(),
  /** Registrations today. */
  registrations_today: z.int(),
  /** Whether registration without a mail address is allowed. */
  is_email_optional: z.boolean(),
})
export type AgentCode = z.output<typeof agentCodeRecord>

export const listAgentCodes = defineRoute({
  ...calls.listAgentCodes,
  price: 'report',
  access: 'console',
  needs: 'people.view',
  summary: 'The codes of the caller or of an agent in its downline, newest first; of the company for the office',
  query: z.strictObject({ user_id: z.optional(pathId) }),
  reply: z.array(agentCodeRecord),
})

export const createAgentCode = defineRoute({
  ...calls.createAgentCode,
  body_bytes: 128 * 1024,
  access: 'console',
  needs: 'people.do',
  // Any amount needs step-up, because an unlimited number of people may register with the code.
  step_up: { above: { opening_credit_satang: 0 } },
  summary: 'Makes a code with which people register below the caller or an agent in its downline',
  body: z.strictObject({
    user_id: z.optional(userId),
    /** Omit for all packages the agent has at the time of registration. */
    packages: z.optional(namedPackages),
    opening_credit_satang: z.optional(creditLimit),
    /** Defaults to `REGISTRATIONS_PER_DAY.default`. */
    registrations_per_day: z.optional(z.int().check(z.minimum(1), z.maximum(REGISTRATIONS_PER_DAY.max))),
    /** Omit to require a mail address. */
    is_email_optional: z.optional(z.boolean()),
  }),
  reply: agentCodeRecord,
})

export const switchAgentCode = defineRoute({
  ...calls.switchAgentCode,
  access: 'console',
  needs: 'people.do',
  summary:
    'Switches a code of the caller or of an agent in its downline off, or on again. One with opening credit is switched on only with `credit.do` and a recent second factor',
  params: z.strictObject({ code: agentCode }),
  body: z.strictObject({ is_active: z.boolean(), reason }),
  reply: agentCodeRecord,
})
