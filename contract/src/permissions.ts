// Who may use which part of the console. A permission is an area with `view` or `do`. Every contract row that serves
// the console names the permission it needs (`needs` in `route.ts`).
// An office user has the permissions of its role. An agent of any level, and the company, has every area except
// periods, results and maintenance, limited to its own downline. An assistant has some of its principal's areas, never
// more than the principal has at that moment. Members have none.

export const areas = [
  /** Users: identity and status. */
  'people',
  /** Credit limits. */
  'credit',
  /** Packages, rates and discounts, shares of a downline. */
  'terms',
  /** Markets and periods: open, close, void, cancel rules. */
  'periods',
  /** Draw results. */
  'results',
  /** Quotas and number limits. */
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
  /** What people owe each other: payments, clearing, cash. */
  'money',
] as const
export type Area = (typeof areas)[number]

/** `view` reads, `do` changes something. `do` includes `view`. */
export type Permission = `${Area}.view` | `${Area}.do`

/** Who may see proposals that need a second approval. Each kind is shown under its own permission. */
export const permissionsOfApprovals = [
  'periods.view',
  'terms.view',
  'credit.view',
  'risk.view',
  'tickets.view',
  'results.view',
  'staff.view',
  'money.view',
] as const satisfies readonly Permission[]

/** Permissions to watch the draw day; one is enough. */
export const permissionsOfDay = ['periods.view', 'results.view', 'risk.view'] as const satisfies readonly Permission[]

/**
 * The permission needed to see each kind of signal. A signal shows data that this permission shows elsewhere. Results
 * are visible to the office only.
 */
export const permissionOfSignal = {
  late_stakes: 'tickets.view',
  late_deletes: 'tickets.view',
  shared_access: 'people.view',
  improbable_wins: 'tickets.view',
  cancelled_tickets: 'tickets.view',
  credit_churn: 'credit.view',
  differing_results: 'results.view',
} as const satisfies Readonly<Record<string, Permission>>

/** Permissions to see signals; one is enough to see its kind. */
export const permissionsOfSignals: readonly Permission[] = /* @__PURE__ */ (() => [
  ...new Set(Object.values(permissionOfSignal)),
])()

// Calls at the top of this module are annotated as pure, so that the browser's build drops unused ones.
export const permissions: readonly Permission[] = /* @__PURE__ */ areas.flatMap(
  (area) => [`${area}.view`, `${area}.do`] as const,
)

/**
 * `none`: a new office user, until two people agree on a role. The database has the same list (`office_role` in
 * `0002-users.sql`).
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
  // Finance needs to find users to give them credit, but changes nothing else of them.
  finance: new Set([...allOf(['credit', 'reports', 'money']), ...viewOf(['people'])]),
  support: new Set(viewOf(['people', 'tickets'])),
  auditor: new Set(viewOf(areas)),
  none,
}))()

/** Permissions that `role` has and `present` does not. A role that gains any needs two people. */
export function listGained(present: OfficeRole, role: OfficeRole): Permission[] {
  return [...permissionsOfRole[role]].filter((permission) => !permissionsOfRole[present].has(permission))
}

/** Areas that only the office may have. */
const officeAreas: readonly Area[] = ['periods', 'results', 'maintenance']

const permissionsOfAgent: ReadonlySet<Permission> = /* @__PURE__ */ (() =>
  new Set(allOf(areas.filter((area) => !officeAreas.includes(area)))))()

/** Whether a user sees the whole house: the company itself and its office. */
export function seesHouse({ is_office, level }: { is_office: boolean; level: string }): boolean {
  return is_office || level === 'company'
}

/** What determines a user's permissions. */
export interface Authority {
  /** Members bet. All other users are agents, the company, or work for the office. */
  is_member: boolean
  /** The role of an office user; for an assistant, its principal's. Null for all others. */
  office_role: OfficeRole | null
  /** The areas of an assistant; null for all others. */
  assistant_areas: readonly Area[] | null
}

/** A user's current permissions. */
export function listPermissions({ is_member, office_role, assistant_areas }: Authority): ReadonlySet<Permission> {
  if (is_member) return none
  const own = office_role === null ? permissionsOfAgent : permissionsOfRole[office_role]
  if (assistant_areas === null) return own
  return new Set(allOf(assistant_areas).filter((permission) => own.has(permission)))
}
