// Who may open a page: each guard is a route's `beforeLoad`. It runs before the page's code and data are fetched.

import type { User } from '@megalot/contract'
import { redirect } from '@tanstack/react-router'
import { useMaintenance } from '../lib/session/maintenance-store.ts'
import { useOffline } from '../lib/session/offline-store.ts'
import { useSession } from '../lib/session/session-store.ts'
import { LEAVE_DELAY_MS, delay, restoreUser } from '../lib/user/current-user.ts'
import { isReturnPath, paths } from './paths.ts'

interface Guarded {
  location: { href: string }
}

/** The address to which a log-in returns, read out of an address. */
export function readBack({ back }: Record<string, unknown>): { back?: string } {
  return isReturnPath(back) ? { back } : {}
}

/** Signed-in users pass; others are sent where they can do something about it, and come back from there. */
export async function requireUser({ location }: Guarded): Promise<void> {
  const hadSession = useSession.getState().session_id !== null
  if ((await restoreUser()) !== null) return
  if (useMaintenance.getState().activeMaintenance !== null)
    throw redirect({ to: paths.maintenance, search: { back: location.href }, replace: true })
  if (useOffline.getState().isOffline)
    throw redirect({ to: paths.offline, search: { back: location.href }, replace: true })
  if (hadSession) await delay(LEAVE_DELAY_MS)
  const search = location.href === paths.lotto ? {} : { back: location.href }
  throw redirect({ to: paths.login, search, replace: true })
}

/** Whose page it is, where that is no secret. */
export type PageOwner = 'uplines' | 'office'

/**
 * Some of the signed-in users pass. The others see the not-found page, which names the page's owner where one is given;
 * the server refuses their calls in any case.
 */
export function requireUserWho(isAllowed: (user: User) => boolean, owner?: PageOwner) {
  return async ({ location }: Guarded): Promise<void> => {
    const user = await restoreUser()
    if (user === null || isAllowed(user)) return
    throw redirect({ to: paths.notFound, replace: true, state: { mistyped: location.href, onlyFor: owner } })
  }
}

/** Visitors pass; signed-in users are sent where they wanted to go. */
export async function requireVisitor({ search }: { search: { back?: string } }): Promise<void> {
  if ((await restoreUser()) !== null) throw redirect({ href: search.back ?? paths.lotto, replace: true })
}

export const isMember = ({ level }: User): boolean => level === 'member'
export const isUpline = ({ level }: User): boolean => level !== 'member'
export const isCompany = ({ level }: User): boolean => level === 'company'
export const isOffice = ({ is_office }: User): boolean => is_office
