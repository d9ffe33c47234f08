import { useRef } from 'react'
import type { Change } from '../api/use-change.ts'
import { randomUuid } from '../device/random-uuid.ts'
import { toRefusal } from '../errors/refusal.ts'

type WithoutId<Input> = Input extends unknown ? Omit<Input, 'request_id'> : never

/**
 * Sends a change with a `request_id`. Content that is sent again while its outcome is unknown keeps its id. A refusal,
 * a success and other content bring a new one.
 */
export function useRequestId<Input extends { request_id: string }, Result>(
  change: Change<Input, Result>,
): Change<WithoutId<Input>, Result> {
  const open = useRef<{ id: string; content: string } | null>(null)
  const send = async (content: WithoutId<Input>): Promise<Result> => {
    const text = JSON.stringify(content)
    if (open.current?.content !== text) open.current = { id: randomUuid(), content: text }
    try {
      const result = await change.send({ ...content, request_id: open.current.id } as unknown as Input)
      open.current = null
      return result
    } catch (error) {
      if (!toRefusal(error).isUnsure) open.current = null
      throw error
    }
  }
  return { ...change, send }
}
