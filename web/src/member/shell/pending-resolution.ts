import { useEffect, useRef } from 'react'
import { useTranslations } from 'use-intl'
import { refreshAfter } from '../../lib/api/query-client.ts'
import { listPending, nameOfTab, usePendingTickets } from '../bet/ticket/pending-tickets.ts'
import type { PendingTicket } from '../bet/ticket/pending-tickets.ts'
import { useSession } from '../../lib/session/session-store.ts'
import { showToast } from '../../lib/feedback/toast.ts'

/** The tab that sent a ticket waits for the answer itself; after this long it may be gone. */
const LEFT_ALONE_MS = 45_000

/** Looks up the tickets of a member whose outcome is unknown; the news show them. */
export function usePendingResolution(user_id: number): void {
  const tickets = usePendingTickets(user_id)
  useResolution(user_id, tickets)
  useNewsOfOtherTabs(tickets)
}

/** Asks for every ticket nobody else waits for. */
function useResolution(user_id: number, tickets: readonly PendingTicket[]): void {
  const t = useTranslations('shell.pending')
  const signedInId = useSession((session) => session.user?.user_id ?? null)
  const asked = useRef(new Set<string>())
  useEffect(() => {
    if (tickets.length > 0 && signedInId === null) void refreshAfter('session_questioned')
    if (signedInId !== user_id) return undefined
    const resolve = async (ticket: PendingTicket): Promise<void> => {
      const { request_id } = ticket.body
      if (asked.current.has(request_id)) return
      asked.current.add(request_id)
      // Only now: most members never have a ticket whose answer was lost.
      const { resumeTicket } = await import('../bet/submit/sending.ts')
      // A reply may arrive before this code runs: then there is nothing to look up, and nothing is shown twice.
      const isPending = listPending(user_id).some((one) => one.body.request_id === request_id)
      if (!isPending) return void asked.current.delete(request_id)
      const outcome = await resumeTicket(ticket)
      asked.current.delete(request_id)
      if (outcome?.kind === 'placed') showToast('good', t('found', { order_id: String(outcome.order.order_id) }))
      if (outcome?.kind === 'absent') showToast('bad', t('absent'))
    }
    const timers = tickets.map((ticket) => {
      const waitMs = ticket.tab === nameOfTab() ? 0 : ticket.last_sent_ms + LEFT_ALONE_MS - Date.now()
      return setTimeout(() => void resolve(ticket), Math.max(0, waitMs))
    })
    return () => timers.forEach(clearTimeout)
  }, [user_id, signedInId, tickets, t])
}

/** A ticket of another tab that is pending no more has most likely been placed: credit and lists have changed. */
function useNewsOfOtherTabs(tickets: readonly PendingTicket[]): void {
  const before = useRef(tickets)
  useEffect(() => {
    const gone = before.current.filter(
      (one) => one.tab !== nameOfTab() && !tickets.some((other) => other.body.request_id === one.body.request_id),
    )
    before.current = tickets
    if (gone.length === 0) return
    void refreshAfter('ticket_of_other_tab_ended')
  }, [tickets])
}
