import { useRef } from 'react'
import { randomUuid } from '../../lib/device/random-uuid.ts'
import { toRefusal } from '../../lib/errors/refusal.ts'

/**
 * The id under which a form is sent. It stays the same while it is unknown whether the call was carried out, so that it can
 * be sent again; after a refusal, and for other content, it is a new one.
 */
export function useRequestId(): <Result>(
  content: object,
  send: (request_id: string) => Promise<Result>,
) => Promise<Result> {
  const open = useRef<{ id: string; content: string } | null>(null)
  return async (content, send) => {
    const text = JSON.stringify(content)
    if (open.current?.content !== text) open.current = { id: randomUuid(), content: text }
    try {
      const result = await send(open.current.id)
      open.current = null
      return result
    } catch (error) {
      if (!toRefusal(error).isUnsure) open.current = null
      throw error
    }
  }
}
