// Who may open a page: each guard is a route's `beforeLoad`. It runs before the page's code and data are fetched.

import type { User } from '@megalot/contract'
import { redirect } from '@tanstack/react-router'
import { useMaintenance } from '../lib/session/maintenance-store.ts'
import { useOffline } from '../lib/session/offline-store.ts'
import { useSession } from '../lib/session/session-store.ts'
import { LEAVE_DELAY_MS, delay, restoreUser } from '../lib/user/current-user.ts'
import { consoleHref, isReturnPath, paths } from './paths.ts'

interface Guarded {
  location: { href: string }
}

/** The address to which a log-in returns, read out of an address. */
export function readBack({ back }: Record<string, unknown>): { back?: string } {
  return isReturnPath(back) ? { back } : {}
}

/** The code that the links and QR codes of agents bring to the registration; a number in an address is one too. */
export function readAgentCode({ code }: Record<string, unknown>): { code?: string } {
  const text = String(code)
  return code !== undefined && /^[A-Za-z0-9]{4,20}$/.test(text) ? { code: text } : {}
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
    throw redirect({ to: paths.logInSteps, search: readBack({ back: location.href }), replace: true })
  if (useMaintenance.getState().activeMaintenance !== null)
    throw redirect({ to: paths.maintenance, search: { back: location.href }, replace: true })
  if (useOffline.getState().isOffline)
    throw redirect({ to: paths.offline, search: { back: location.href }, replace: true })
  if (hadSession) await delay(LEAVE_DELAY_MS)
  const search = location.href === paths.lotto ? {} : { back: location.href }
  throw redirect({ to: paths.login, search, replace: true })
}

/** Who has a session passes, however far its log-in has come. */
export function requireSession(): void {
  if (useSession.getState().session_token === null) throw redirect({ to: paths.login, replace: true })
}

/** Visitors pass; signed-in users are sent where they wanted to go. */
export async function requireVisitor({ search }: { search: Record<string, unknown> }): Promise<void> {
  const returnTo = readBack(search)
  const user = await restoreUser()
  if (useSession.getState().pending_step !== null)
    throw redirect({ to: paths.logInSteps, search: returnTo, replace: true })
  if (user === null) return
  const href = returnTo.back ?? paths.lotto
  if (isMember(user)) throw redirect({ href, replace: true })
  await openConsole({ location: { href } })
}

/** Loads the console at the page that an address of this application stands for; what runs meanwhile waits for ever. */
export function openConsole({ location }: Guarded): Promise<never> {
  window.location.replace(consoleHref(location.href))
  return new Promise(() => {})
}

const isMember = ({ level }: User): boolean => level === 'member'
