import type { BodyOf, BulkResult, DataOf, NamedPackage, QueryOf, UserStatus, Rows } from '@megalot/contract'
import {
  changeContact,
  changeContactNote,
  changeCreditLimits,
  changeDisplayNames,
  changePackages,
  changeStatuses,
  createAgentCode,
  createMembers,
  createPerson,
  endPeopleSessions,
  getPerson,
  listAgentCodes,
  listAllPackages,
  listOrders,
  listPasswordRequests,
  listPeople,
  listPersonActs,
  listUserPackages,
  resetPasswords,
  sumPeople,
  switchAgentCode,
} from '@megalot/contract/browser'
import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query'
import { callRoute } from '../../lib/api/http-client.ts'
import { queryKeys } from '../../lib/api/query-keys.ts'
import type { Change } from '../../lib/api/use-change.ts'

const PART_SIZE = 50
const BRANCH_SIZE = 50
const MAX_NAMED = '8'
const NEWEST = '10'

export type PeopleFilters = Omit<NonNullable<QueryOf<Rows['listPeople']>>, 'page' | 'ipp' | 'parent_id'>

/** The users of the line that match, a part at a time; each part says how many there are. */
export const peopleQuery = (filters: PeopleFilters) =>
  infiniteQueryOptions({
    queryKey: queryKeys.people.part('list', filters),
    queryFn: ({ pageParam, signal }) =>
      callRoute(listPeople, { query: { ...filters, page: String(pageParam), ipp: String(PART_SIZE) }, signal }),
    initialPageParam: 0,
    getNextPageParam: (_part, parts, page) =>
      (page + 1) * PART_SIZE < (parts.at(-1)?.total_count ?? 0) ? page + 1 : undefined,
    placeholderData: keepPreviousData,
  })

/** Sums over everybody whom the list finds; undefined where they are too many to add up. */
export const sumsQuery = (filter: FoundPeople) =>
  queryOptions({
    queryKey: queryKeys.people.part('sums', filter),
    queryFn: async ({ signal }) => (await callRoute(sumPeople, { query: filter, signal })).data,
    placeholderData: keepPreviousData,
  })

/** A part of the users directly below one: a node of the tree. */
export const branchQuery = (parent_id: number, page: number) =>
  queryOptions({
    queryKey: queryKeys.people.part('branch', parent_id, page),
    queryFn: ({ signal }) =>
      callRoute(listPeople, {
        query: { parent_id: String(parent_id), sort: 'username', page: String(page), ipp: String(BRANCH_SIZE) },
        signal,
      }),
    placeholderData: keepPreviousData,
  })

/** The root of the caller's tree. */
export const rootQuery = queryOptions({
  queryKey: queryKeys.people.part('root'),
  queryFn: async ({ signal }) => (await callRoute(listPeople, { query: { ipp: '1' }, signal })).root_id,
})

/** A few users whose name holds a text. */
export const namedPeopleQuery = (search: string) =>
  queryOptions({
    queryKey: queryKeys.people.part('named', search),
    queryFn: async ({ signal }) => (await callRoute(listPeople, { query: { search, ipp: MAX_NAMED }, signal })).data,
    placeholderData: keepPreviousData,
  })

/** The members who have come last, for the message about those who have registered. */
export const newestPeopleQuery = queryOptions({
  queryKey: queryKeys.people.part('newest'),
  queryFn: ({ signal }) =>
    callRoute(listPeople, { query: { level: 'member', sort: 'created_at', order: 'desc', ipp: NEWEST }, signal }),
  refetchInterval: 60_000,
})

export const personQuery = (user_id: number) =>
  queryOptions({
    queryKey: queryKeys.people.part('one', user_id),
    queryFn: async ({ signal }) => (await callRoute(getPerson, { params: { user_id: String(user_id) }, signal })).data,
  })

/** Everything that was done to a user or by its account, newest first. */
export const actsQuery = (user_id: number) =>
  infiniteQueryOptions({
    queryKey: queryKeys.people.part('acts', user_id),
    queryFn: async ({ pageParam: before, signal }) =>
      (
        await callRoute(listPersonActs, {
          params: { user_id: String(user_id) },
          query: { ipp: String(PART_SIZE), ...(before === undefined ? {} : { before }) },
          signal,
        })
      ).data,
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (part) => (part.length < PART_SIZE ? undefined : String(part.at(-1)!.audit_id)),
  })

/** The last tickets of a member. */
export const ticketsOfQuery = (user_id: number, username: string) =>
  queryOptions({
    queryKey: queryKeys.people.part('tickets', user_id),
    queryFn: async ({ signal }) => (await callRoute(listOrders, { query: { username, ipp: '10' }, signal })).data,
  })

/** The packages that a user has; null: all packages of all markets, which the company gives. */
export const packagesQuery = (user_id: number | null) =>
  queryOptions({
    queryKey: queryKeys.people.part('packages', user_id),
    queryFn: async ({ signal }) =>
      user_id === null
        ? (await callRoute(listAllPackages, { signal })).data
        : (await callRoute(listUserPackages, { params: { user_id: String(user_id) }, signal })).data,
  })

/** The users below the caller who asked for a new password. */
export const passwordRequestsQuery = queryOptions({
  queryKey: queryKeys.people.part('password-requests'),
  queryFn: async ({ signal }) => (await callRoute(listPasswordRequests, { signal })).data,
})

export const sendContact: Change<BodyOf<Rows['changeContact']>> = {
  changes: 'people_changed',
  send: (body) => callRoute(changeContact, { body }),
}

export const sendContactNote: Change<{ user_id: number; body: BodyOf<Rows['changeContactNote']> }> = {
  changes: 'people_changed',
  send: ({ user_id, body }) => callRoute(changeContactNote, { params: { user_id: String(user_id) }, body }),
}

/** Registration codes of the caller, or of an agent below. */
export const codesQuery = (user_id: number | null) =>
  queryOptions({
    queryKey: queryKeys.people.part('codes', user_id),
    queryFn: async ({ signal }) =>
      (
        await callRoute(listAgentCodes, {
          query: user_id === null ? {} : { user_id: String(user_id) },
          signal,
        })
      ).data,
  })

/** Everybody whom the list finds. */
export type FoundPeople = Omit<PeopleFilters, 'sort' | 'order'>
type Users = { user_ids: number[] } | { filter: FoundPeople }

/** A change of one user or of many. */
export type PeopleChange =
  | ({ kind: 'status'; own_status: UserStatus } & Users)
  | { kind: 'credit'; rows: { user_id: number; credit_limit_satang: number }[] }
  | { kind: 'credit'; filter: FoundPeople; change: { mode: 'set' | 'add' | 'take'; amount_satang: number } }
  | ({ kind: 'packages'; change: 'give' | 'take'; packages: NamedPackage[] } & Users)
  | { kind: 'name'; rows: { user_id: number; display_name: string }[] }
  | { kind: 'password'; rows: { user_id: number; password: string }[] }
  | ({ kind: 'sessions' } & Users)

interface ChangeCall {
  request_id: string
  reason: string
  preview?: true
}

async function sendChange(change: PeopleChange, call: ChangeCall, signal?: AbortSignal): Promise<BulkResult> {
  const timeoutMs = 60_000
  const { kind, ...content } = change
  const options = { signal, timeoutMs }
  const body = { ...call, ...content }
  switch (kind) {
    case 'status':
      return (await callRoute(changeStatuses, { body: body as BodyOf<Rows['changeStatuses']>, ...options })).data
    case 'credit':
      return (await callRoute(changeCreditLimits, { body: body as BodyOf<Rows['changeCreditLimits']>, ...options }))
        .data
    case 'packages':
      return (await callRoute(changePackages, { body: body as BodyOf<Rows['changePackages']>, ...options })).data
    case 'name':
      return (await callRoute(changeDisplayNames, { body: body as BodyOf<Rows['changeDisplayNames']>, ...options }))
        .data
    case 'password':
      return (await callRoute(resetPasswords, { body: body as BodyOf<Rows['resetPasswords']>, ...options })).data
    default:
      return (await callRoute(endPeopleSessions, { body: body, ...options })).data
  }
}

const PREVIEW_ID = '00000000-0000-4000-8000-000000000000'

/** The preview of a change, row by row. Writes nothing. */
export const previewQuery = (change: PeopleChange) =>
  queryOptions({
    queryKey: queryKeys.people.part('preview', change),
    queryFn: ({ signal }) => sendChange(change, { request_id: PREVIEW_ID, reason: 'preview', preview: true }, signal),
    staleTime: 0,
    gcTime: 0,
  })

/** Changes users. Sent again with the same `request_id` it has the same result and changes nothing more. */
export const changePeople: Change<{ change: PeopleChange; request_id: string; reason: string }, BulkResult> = {
  changes: 'people_changed',
  send: ({ change, ...call }) => sendChange(change, call),
}

export const sendNewPerson: Change<BodyOf<Rows['createPerson']>, DataOf<Rows['createPerson']>> = {
  changes: 'people_changed',
  send: async (body) => (await callRoute(createPerson, { body })).data,
}

export type NewMembersReply = DataOf<Rows['createMembers']>
type NewMembers = Omit<BodyOf<Rows['createMembers']>, 'request_id' | 'preview'>

/** What opening these members would do, row by row. */
export const previewNewMembers = async (members: NewMembers): Promise<NewMembersReply> =>
  (await callRoute(createMembers, { body: { ...members, request_id: PREVIEW_ID, preview: true }, timeoutMs: 60_000 }))
    .data

export const sendNewMembers: Change<NewMembers & { request_id: string }, NewMembersReply> = {
  changes: 'people_changed',
  send: async (body) => (await callRoute(createMembers, { body, timeoutMs: 60_000 })).data,
}

export const sendNewCode: Change<BodyOf<Rows['createAgentCode']>, DataOf<Rows['createAgentCode']>> = {
  changes: 'people_changed',
  send: async (body) => (await callRoute(createAgentCode, { body })).data,
}

export const sendCodeSwitch: Change<{ code: string } & BodyOf<Rows['switchAgentCode']>> = {
  changes: 'people_changed',
  send: ({ code, ...body }) => callRoute(switchAgentCode, { params: { code }, body }),
}
