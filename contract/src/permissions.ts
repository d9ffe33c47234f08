// Who may use which part of the console. A permission is an area with `view` or `do`. Every contract row that serves the
// console names the permission that it needs (`needs` in `route.ts`).
//
// An office user has the permissions of its role. An agent of any level, the company included, has every area but periods,
// results and maintenance, over its own line only. An assistant has some areas of its principal, and of these no more than
// the principal has at the moment. Members have none.

export const areas = [
  /** Users: who they are, and their status. */
  'people',
  /** Credit limits. */
  'credit',
  /** Packages, rates and discounts, shares of a line. */
  'terms',
  /** Markets and periods: open, close, void, cancel rules. */
  'periods',
  /** Results of draws. */
  'results',
  /** Quotas, and numbers set by hand. */
  'risk',
  /** Tickets of members. */
  'tickets',
  /** Money reports and statements. */
  'reports',
  /** Announcements. */
  'messages',
  'maintenance',
  /** Office users and assistants. */
  'staff',
  /** The audit log. */
  'audit',
] as const
export type Area = (typeof areas)[number]

/** `view` reads, `do` changes something. Whoever may change an area may view it. */
export type Permission = `${Area}.view` | `${Area}.do`

/** Who may see what waits for a second person: each kind is shown by its own permission. */
export const permissionsOfApprovals = [
  'periods.view',
  'terms.view',
  'credit.view',
  'risk.view',
  'tickets.view',
  'results.view',
  'staff.view',
] as const satisfies readonly Permission[]

/** Who may watch the draw day. */
export const permissionsOfDay = ['periods.view', 'results.view', 'risk.view'] as const satisfies readonly Permission[]

/** Who may see each kind of signal: it shows what the permission shows elsewhere. Results are the office's alone. */
export const permissionOfSignal = {
  late_stakes: 'tickets.view',
  late_deletes: 'tickets.view',
  shared_access: 'people.view',
  improbable_wins: 'tickets.view',
  cancelled_tickets: 'tickets.view',
  credit_churn: 'credit.view',
  differing_results: 'results.view',
} as const satisfies Readonly<Record<string, Permission>>

/** Who may see a signal of any kind. */
export const permissionsOfSignals: readonly Permission[] = /* @__PURE__ */ (() => [
  ...new Set(Object.values(permissionOfSignal)),
])()

// Calls at the top of this module are annotated: the browser's build leaves out those that it does not use.
export const permissions: readonly Permission[] = /* @__PURE__ */ areas.flatMap(
  (area) => [`${area}.view`, `${area}.do`] as const,
)

/**
 * `none`: a new office user, until two people agree on a role. The database lists them too (`office_role` in `0002-users.sql`).
 */
export const officeRoles = ['owner', 'operations', 'risk', 'finance', 'support', 'auditor', 'none'] as const
export type OfficeRole = (typeof officeRoles)[number]

const viewOf = (list: readonly Area[]): Permission[] => list.map((area): Permission => `${area}.view`)
const allOf = (list: readonly Area[]): Permission[] =>
  list.flatMap((area): Permission[] => [`${area}.view`, `${area}.do`])

const none: ReadonlySet<Permission> = /* @__PURE__ */ new Set()

export const permissionsOfRole: Readonly<Record<OfficeRole, ReadonlySet<Permission>>> = /* @__PURE__ */ (() => ({
  owner: new Set(permissions),
  operations: new Set(allOf(['periods', 'results', 'maintenance', 'messages'])),
  risk: new Set(allOf(['terms', 'risk', 'tickets'])),
  // Credit is given to somebody: finance finds users, and changes nothing else of them.
  finance: new Set([...allOf(['credit', 'reports']), ...viewOf(['people'])]),
  support: new Set(viewOf(['people', 'tickets'])),
  auditor: new Set(viewOf(areas)),
  none,
}))()

/** What a role may view or do that another one may not. More than nothing is granted by two people. */
export function listGained(present: OfficeRole, role: OfficeRole): Permission[] {
  return [...permissionsOfRole[role]].filter((permission) => !permissionsOfRole[present].has(permission))
}

/** What only the office decides. */
const officeAreas: readonly Area[] = ['periods', 'results', 'maintenance']

const permissionsOfAgent: ReadonlySet<Permission> = /* @__PURE__ */ (() =>
  new Set(allOf(areas.filter((area) => !officeAreas.includes(area)))))()

/** Whether a user's line is the whole house: the company itself, and its office. */
export function seesHouse({ is_office, level }: { is_office: boolean; level: string }): boolean {
  return is_office || level === 'company'
}

/** What the permissions of a user follow from. */
export interface Authority {
  /** A bettor; everybody else is an agent, the company, or works for the office. */
  is_member: boolean
  /** The role of an office user; null for all others. For an assistant: that of its principal. */
  office_role: OfficeRole | null
  /** The areas of an assistant; null for everybody else. */
  assistant_areas: readonly Area[] | null
}

/** The permissions of a user at the moment. */
export function listPermissions({ is_member, office_role, assistant_areas }: Authority): ReadonlySet<Permission> {
  if (is_member) return none
  const own = office_role === null ? permissionsOfAgent : permissionsOfRole[office_role]
  if (assistant_areas === null) return own
  return new Set(allOf(assistant_areas).filter((permission) => own.has(permission)))
}
