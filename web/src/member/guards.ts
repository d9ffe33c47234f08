// Guards of pages. Each is a route's `beforeLoad` and runs before the page's code and data are fetched.

import type { User } from '@megalot/contract'
import { redirect } from '@tanstack/react-router'
import { useMaintenance } from '../lib/session/maintenance-store.ts'
import { useOffline } from '../lib/session/offline-store.ts'
import { useSession } from '../lib/session/session-store.ts'
import { LEAVE_DELAY_MS, delay, restoreUser } from '../lib/user/current-user.ts'
import { consoleHref, readBack } from '../lib/page/addresses.ts'

interface Guarded {
  location: { href: string }
}

/**
 * Members pass; others are sent where they can do something about it, and come back from there. Who is signed in and
 * does not bet works in the console.
 */
export async function requireUser({ location }: Guarded): Promise<void> {
  const hadSession = useSession.getState().session_token !== null
  const user = await restoreUser()
  if (user !== null) return isMember(user) ? undefined : openConsole({ location })
  if (useSession.getState().pending_step !== null)
    throw redirect({ to: '/auth/steps', search: readBack({ back: location.href }), replace: true })
  if (useMaintenance.getState().activeMaintenance !== null)
    throw redirect({ to: '/maintenance', search: { back: location.href }, replace: true })
  if (useOffline.getState().isOffline)
    throw redirect({ to: '/offline', search: { back: location.href }, replace: true })
  if (hadSession) await delay(LEAVE_DELAY_MS)
  const search = location.href === '/' ? {} : { back: location.href }
  throw redirect({ to: '/auth/login', search, replace: true })
}

/** Admits every session, even one whose log-in is not complete. */
export function requireSession(): void {
  if (useSession.getState().session_token === null) throw redirect({ to: '/auth/login', replace: true })
}

/** Visitors pass; signed-in users are sent where they wanted to go. */
export async function requireVisitor({ search }: { search: Record<string, unknown> }): Promise<void> {
  const returnTo = readBack(search)
  const user = await restoreUser()
  if (useSession.getState().pending_step !== null)
    throw redirect({ to: '/auth/steps', search: returnTo, replace: true })
  if (user === null) return
  const href = returnTo.back ?? '/'
  if (isMember(user)) throw redirect({ href, replace: true })
  await openConsole({ location: { href } })
}

/** Loads the console at the page that an address of this application stands for; what runs meanwhile waits for ever. */
export function openConsole({ location }: Guarded): Promise<never> {
  window.location.replace(consoleHref(location.href))
  return new Promise(() => {})
}

const isMember = ({ level }: User): boolean => level === 'member'
