// Guards of the console's pages. Each is a route's `beforeLoad`.

import type { Permission, User } from '@megalot/contract'
import type { ParsedLocation } from '@tanstack/react-router'
import { redirect } from '@tanstack/react-router'
import type { Access } from '../lib/page/define-page.ts'
import { useMaintenance } from '../lib/session/maintenance-store.ts'
import { useSession } from '../lib/session/session-store.ts'
import { restoreUser } from '../lib/user/current-user.ts'
import { mayOpen, permissionsOf } from './menu.ts'

interface Guarded {
  location: Pick<ParsedLocation, 'publicHref'>
}

/** A part of the page that is opened; the last one is the page itself. */
interface PageMatch {
  staticData: { access?: Access }
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
 * Users who do not bet pass, to pages that they may open: each names what it needs, and one that does not is closed.
 *
 * @param context the router's context; its declared type would depend on all routes, and they on this guard
 */
export async function requirePage(context: unknown): Promise<void> {
  const { location, matches } = context as Guarded & { matches: readonly PageMatch[] }
  const user = await requireOperator({ location })
  const access = matches.at(-1)?.staticData.access
  if (access === undefined || !mayOpen(user, access)) refuse()
}

/** Users who do not bet pass. Members are shown whose application this is; nobody else is known. */
export async function requireOperator({ location }: Guarded): Promise<User> {
  const user = await restoreUser()
  if (user?.level === 'member') throw redirect({ to: '/members', replace: true })
  if (user !== null) return user
  if (useSession.getState().pending_step !== null) await leaveFor('/auth/steps', location.publicHref)
  if (useMaintenance.getState().activeMaintenance !== null) await leaveFor('/maintenance', location.publicHref)
  // The server does not reply, and the session is kept: the page says so, and offers to try again.
  if (useSession.getState().session_token !== null) throw new Error('the server did not reply')
  return leaveFor('/auth/login', location.publicHref)
}

/** For a page that needs more than its screen. */
export function requirePermission(permission: Permission) {
  return async (): Promise<void> => {
    const user = await restoreUser()
    if (user !== null && !permissionsOf(user).has(permission)) refuse()
  }
}

function refuse(): never {
  throw redirect({ to: '/refused', replace: true })
}
