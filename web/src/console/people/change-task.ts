// The draft of a change of one user or many, and its reading.

import type { Person, UserPackage, UserStatus } from '@megalot/contract'
import { readBaht, writeBaht } from './amounts.ts'
import type { PeopleChange } from './queries.ts'

export type ChangeKind = 'status' | 'credit' | 'packages' | 'name' | 'sessions'

/** The kind of change and its users. */
export interface ChangeTask {
  kind: ChangeKind
  people: readonly Pick<
    Person,
    'user_id' | 'username' | 'display_name' | 'own_status' | 'credit_limit_satang' | 'parent_username'
  >[]
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
type CreditMode = (typeof creditModes)[number]

/** The values entered so far. */
export interface ChangeDraft {
  status: UserStatus
  mode: CreditMode
  amount: string
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
    name: only?.display_name ?? '',
    change: 'give',
    packages: new Set(),
  }
}

/** The change in a draft, or its problem. */
export function readDraft(
  { kind, people }: ChangeTask,
  draft: ChangeDraft,
): { change: PeopleChange } | { problem: 'amount' | 'name' | 'packages' } {
  const user_ids = people.map(({ user_id }) => user_id)
  if (kind === 'status') return { change: { kind, user_ids, own_status: draft.status } }
  if (kind === 'sessions') return { change: { kind, user_ids } }
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
    return { change: { kind, user_ids, change: draft.change, packages } }
  }
  const satang = readBaht(draft.amount)
  if (satang === null) return { problem: 'amount' }
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
