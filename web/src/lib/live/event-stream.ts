/** One server-sent event. Comments, which only keep the line warm, are events without a name. */
export interface StreamEvent {
  name: string
  data: string
}

/**
 * The events of a reply as they arrive. `EventSource` would do the same, but it cannot send the session with its request,
 * and an address that carries a session is written into logs.
 */
export async function* readEvents(body: ReadableStream<Uint8Array>): AsyncGenerator<StreamEvent> {
  const reader = body.getReader()
  const decoder = new TextDecoder()
  let text = ''
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      text += decoder.decode(value, { stream: true })
      const blocks = text.split('\n\n')
      text = blocks.pop() ?? ''
      for (const block of blocks) yield readBlock(block)
    }
  } finally {
    reader.cancel().catch(() => {})
  }
}

function readBlock(block: string): StreamEvent {
  const event: StreamEvent = { name: '', data: '' }
  for (const line of block.split('\n')) {
    if (line.startsWith('event: ')) event.name = line.slice(7)
    else if (line.startsWith('data: ')) event.data += line.slice(6)
  }
  return event
}
