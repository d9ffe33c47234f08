// Who may open a page of the console: each guard is a route's `beforeLoad`.

import type { Permission, User } from '@megalot/contract'
import type { ParsedLocation } from '@tanstack/react-router'
import { redirect } from '@tanstack/react-router'
import { useMaintenance } from '../lib/session/maintenance-store.ts'
import { useSession } from '../lib/session/session-store.ts'
import { restoreUser } from '../lib/user/current-user.ts'
import { mayOpen, permissionsOf } from './navigation.ts'
import { consolePaths, memberPaths } from './paths.ts'

interface Guarded {
  location: Pick<ParsedLocation, 'pathname' | 'publicHref'>
}

let isLeaving = false

/**
 * Loads a page of the member app, which leads back; what runs meanwhile waits for ever. The first call decides where to:
 * a guard that runs after a log-out finds no user and would ask for a log-in that leads back.
 */
export function leaveFor(path: string, back: string | null): Promise<never> {
  if (isLeaving) return new Promise(() => {})
  isLeaving = true
  window.location.replace(back === null ? path : `${path}?${new URLSearchParams({ back })}`)
  return new Promise(() => {})
}

/**
 * Users who do not bet pass, to pages that they may open; to a page that belongs to nothing nobody. The server refuses what is not
 * permitted in any case.
 */
export async function requirePage(guarded: Guarded): Promise<void> {
  const user = await requireOperator(guarded)
  if (!mayOpen(user, guarded.location.pathname)) refuse()
}

/** Users who do not bet pass. Members are shown whose application this is; nobody else is known. */
export async function requireOperator({ location }: Guarded): Promise<User> {
  const user = await restoreUser()
  if (user?.level === 'member') throw redirect({ to: consolePaths.members, replace: true })
  if (user !== null) return user
  if (useSession.getState().pending_step !== null) await leaveFor(memberPaths.logInSteps, location.publicHref)
  if (useMaintenance.getState().activeMaintenance !== null) await leaveFor(memberPaths.maintenance, location.publicHref)
  // The server does not reply, and the session is kept: the page says so, and offers to try again.
  if (useSession.getState().session_token !== null) throw new Error('the server did not reply')
  return leaveFor(memberPaths.login, location.publicHref)
}

/** For a page that needs more than its screen. */
export function requirePermission(permission: Permission) {
  return async (): Promise<void> => {
    const user = await restoreUser()
    if (user !== null && !permissionsOf(user).has(permission)) refuse()
  }
}

function refuse(): never {
  throw redirect({ to: consolePaths.refused, replace: true })
}
