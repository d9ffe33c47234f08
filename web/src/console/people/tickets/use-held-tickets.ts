import type { OrderSummary } from '@megalot/contract'
import { useMemo, useState } from 'react'
import type { FocusEvent, PointerEvent } from 'react'
import { holdTickets } from './held-tickets.ts'

const isInRow = (target: EventTarget | null): boolean =>
  target instanceof Element && target.closest('[data-grid-row]') !== null

/** Whether the pointer or the focus of the keyboard is on a row. */
export function useTicketHold() {
  const [isPointed, setIsPointed] = useState(false)
  const [hasFocus, setHasFocus] = useState(false)
  const handlers = useMemo(() => {
    const point = ({ target, pointerType }: PointerEvent): void =>
      // A finger that has left the screen points at nothing.
      setIsPointed(pointerType === 'mouse' && isInRow(target))
    return {
      onPointerMove: point,
      onPointerDown: point,
      onPointerLeave: () => setIsPointed(false),
      onFocus: ({ target }: FocusEvent) => setHasFocus(isInRow(target)),
      onBlur: ({ relatedTarget }: FocusEvent) => setHasFocus(isInRow(relatedTarget)),
    }
  }, [])
  return { isHeld: isPointed || hasFocus, handlers }
}

interface Held {
  rows: readonly OrderSummary[] | undefined
  filter: string | null
}

/**
 * The rows of the list, which stay where they are while they are held; another filter is another list.
 *
 * @param filter null: the rows are still those of the filter before, and are not held
 */
export function useHeldTickets(found: readonly OrderSummary[] | undefined, filter: string | null, isHeld: boolean) {
  const [held, setHeld] = useState<Held>({ rows: found, filter })
  const isHolding = isHeld && filter !== null && held.filter === filter
  if (!isHolding && (held.rows !== found || held.filter !== filter)) setHeld({ rows: found, filter })
  return useMemo(
    () =>
      isHolding && held.rows !== undefined && found !== undefined
        ? holdTickets(held.rows, found)
        : { rows: found, new_count: 0 },
    [isHolding, held, found],
  )
}
