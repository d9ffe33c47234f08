import { expect, test } from 'vitest'
import { readEvents } from './event-stream.ts'
import type { StreamEvent } from './event-stream.ts'

const TEXT = 'event: hello\ndata: {}\n\n:\n\nevent: news\ndata: {"topics":["ตั๋ว"]}\n\nevent: cut'

function streamOf(bytes: Uint8Array, chunkSize: number): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start(controller) {
      for (let from = 0; from < bytes.length; from += chunkSize) controller.enqueue(bytes.slice(from, from + chunkSize))
      controller.close()
    },
  })
}

// However the network cuts it, also inside of a Thai letter, the events are the same; one without its end is none.
test.each([1, 2, 3, 7, 10_000])('events in pieces of %i bytes', async (chunkSize) => {
  const events: StreamEvent[] = []
  for await (const event of readEvents(streamOf(new TextEncoder().encode(TEXT), chunkSize))) events.push(event)
  expect(events).toEqual([
    { name: 'hello', data: '{}' },
    { name: '', data: '' },
    { name: 'news', data: '{"topics":["ตั๋ว"]}' },
  ])
})
