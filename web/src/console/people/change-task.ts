// The draft of a change of one user or many, and its reading.

import type { Person, UserPackage, UserStatus } from '@megalot/contract'
import { readBaht, writeBaht } from './amounts.ts'
import type { FoundPeople, PeopleChange } from './queries.ts'

export type ChangeKind = 'status' | 'credit' | 'packages' | 'name' | 'sessions'

/** The kind of change and its users. */
export interface ChangeTask {
  kind: ChangeKind
  people: readonly Pick<
    Person,
    'user_id' | 'username' | 'display_name' | 'own_status' | 'credit_limit_satang' | 'parent_username'
  >[]
  /** Everybody whom a filter finds, in place of `people`. */
  found?: { filter: FoundPeople; count: number }
  /** Initial values of the form. */
  credit_satang?: number
  status?: UserStatus
  reason?: string
  /** The pressed button, if it says more than the kind. */
  named?: 'halt' | 'halt_line' | 'release'
  /** Called when users were changed. */
  onChanged?: () => void
  /** Only these packages can be taken; all that the caller has, where it is absent. */
  packages?: readonly UserPackage[]
}

export const creditModes = ['set', 'add', 'take'] as const
type CreditMode = (typeof creditModes)[number] | 'each'

export function countOf({ people, found }: ChangeTask): number {
  return found?.count ?? people.length
}

/** The values entered so far. */
export interface ChangeDraft {
  status: UserStatus
  mode: CreditMode
  amount: string
  /** Of mode `each`: new limits as typed, by user. Users without one are left as they are. */
  amounts: ReadonlyMap<number, string>
  name: string
  change: 'give' | 'take'
  packages: ReadonlySet<string>
}

export function initialDraft({ people, credit_satang, status }: ChangeTask): ChangeDraft {
  const [only] = people.length === 1 ? people : []
  const amount_satang = credit_satang ?? only?.credit_limit_satang ?? undefined
  return {
    status: status ?? (only?.own_status === 'NORMAL' ? 'SUSPENDED' : 'NORMAL'),
    mode: only === undefined ? 'add' : 'set',
    amount: amount_satang === undefined ? '' : writeBaht(amount_satang),
    amounts: new Map(),
    name: only?.display_name ?? '',
    change: 'give',
    packages: new Set(),
  }
}

/** The change in a draft, or its problem. */
export function readDraft(
  { kind, people, found }: ChangeTask,
  draft: ChangeDraft,
): { change: PeopleChange } | { problem: 'amount' | 'amounts' | 'name' | 'packages' } {
  const user_ids = people.map(({ user_id }) => user_id)
  const users = found === undefined ? { user_ids } : { filter: found.filter }
  if (kind === 'status') return { change: { kind, ...users, own_status: draft.status } }
  if (kind === 'sessions') return { change: { kind, ...users } }
  if (kind === 'name') {
    const display_name = draft.name.trim()
    if (display_name === '') return { problem: 'name' }
    return { change: { kind, rows: user_ids.map((user_id) => ({ user_id, display_name })) } }
  }
  if (kind === 'packages') {
    if (draft.packages.size === 0) return { problem: 'packages' }
    const packages = [...draft.packages].map((key) => {
      const [product_code = '', package_code = ''] = key.split('/')
      return { product_code, package_code }
    })
    return { change: { kind, ...users, change: draft.change, packages } }
  }
  if (draft.mode === 'each') return readAmounts(people, draft.amounts)
  const satang = readBaht(draft.amount)
  if (satang === null) return { problem: 'amount' }
  if (found !== undefined)
    return { change: { kind, filter: found.filter, change: { mode: draft.mode, amount_satang: satang } } }
  const limitOf = (before: number): number =>
    draft.mode === 'set' ? satang : Math.max(0, before + (draft.mode === 'add' ? satang : -satang))
  // The permission to change a limit includes viewing it.
  const rows = people.flatMap(({ user_id, credit_limit_satang }) =>
    credit_limit_satang === null
      ? []
      : [
          {
            user_id,
            credit_limit_satang: limitOf(credit_limit_satang),
            // The base of the addition, which somebody else may change meanwhile.
            ...(draft.mode === 'set' ? {} : { seen_satang: credit_limit_satang }),
          },
        ],
  )
  return { change: { kind, rows } }
}

function readAmounts(
  people: ChangeTask['people'],
  amounts: ChangeDraft['amounts'],
): { change: PeopleChange } | { problem: 'amount' | 'amounts' } {
  const typed = people.flatMap(({ user_id }) => {
    const amount = amounts.get(user_id)?.trim() ?? ''
    return amount === '' ? [] : [{ user_id, credit_limit_satang: readBaht(amount) }]
  })
  if (typed.length === 0) return { problem: 'amounts' }
  const rows = typed.flatMap(({ user_id, credit_limit_satang }) =>
    credit_limit_satang === null ? [] : [{ user_id, credit_limit_satang }],
  )
  return rows.length < typed.length ? { problem: 'amount' } : { change: { kind: 'credit', rows } }
}

/**
 * Amounts out of cells of a spreadsheet: name and amount, or amounts alone, which go to `from` and the users after it.
 * @returns the names that nobody has
 */
export function readPastedAmounts(
  text: string,
  people: ChangeTask['people'],
  from = 0,
): { amounts: Map<number, string>; unknown: string[] } {
  const byName = new Map(
    people.flatMap(({ user_id, username, display_name }): [string, number][] => [
      [display_name.toLowerCase(), user_id],
      [username.toLowerCase(), user_id],
    ]),
  )
  const amounts = new Map<number, string>()
  const unknown: string[] = []
  let at = from
  for (const line of text.split(/\r?\n/)) {
    if (line.trim() === '') continue
    const [, name = '', amount = ''] = /^(.*?)[\t;, ]*([\d,.]+)$/.exec(line.trim()) ?? ['', line.trim()]
    const user_id = name === '' ? people[at++]?.user_id : byName.get(name.trim().toLowerCase())
    if (user_id === undefined) unknown.push(name.trim() || amount)
    else amounts.set(user_id, amount.replaceAll(',', ''))
  }
  return { amounts, unknown }
}
