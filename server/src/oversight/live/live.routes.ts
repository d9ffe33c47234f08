import { listenLive } from '@megalot/contract'
import type { Serve } from '../../http/serve.ts'
import type { LiveStreams } from './live.service.ts'

export function serveLive(serve: Serve, streams: LiveStreams): void {
  serve(listenLive, async ({ caller, reply }) => {
    // Prevents a buffering proxy from holding back events.
    reply.type('text/event-stream; charset=utf-8').header('x-accel-buffering', 'no')
    await reply.send(streams.open(caller))
    return null
  })
}
