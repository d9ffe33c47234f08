// A proxy that cuts connections: before the whole request has passed, after it, or when its reply arrives.

import { connect, createServer, type Server, type Socket } from 'node:net'

/**
 * - `in_request`: all but the end of the call reaches the application
 * - `after_request`: the whole call does, without waiting for a reply
 * - `in_reply`: the application has answered, and the reply is dropped
 */
export type Cut = 'none' | 'in_request' | 'after_request' | 'in_reply'

export interface CuttingProxy {
  url: string
  /** The mode for all calls from now on. */
  cut: Cut
  close(): Promise<void>
}

export async function startCuttingProxy(port: number): Promise<CuttingProxy> {
  const sockets = new Set<Socket>()
  const server: Server = createServer((client) => {
    const product = connect(port, '127.0.0.1')
    const both = [client, product]
    const end = () => both.forEach((socket) => socket.destroy())
    for (const socket of both) {
      sockets.add(socket)
      socket.on('error', end)
      socket.on('close', () => (sockets.delete(socket), end()))
    }
    let call = Buffer.alloc(0)
    client.on('data', (bytes: Buffer) => {
      call = Buffer.concat([call, bytes])
      if (!isWhole(call)) return
      const sent = proxy.cut === 'in_request' ? call.subarray(0, call.length - 10) : call
      call = Buffer.alloc(0)
      if (proxy.cut === 'in_request' || proxy.cut === 'after_request') product.write(sent, end)
      else product.write(sent)
    })
    product.on('data', (bytes: Buffer) => {
      if (proxy.cut === 'in_reply') end()
      else client.write(bytes)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (typeof address !== 'object' || !address) throw new Error('the proxy has no port')
  const proxy: CuttingProxy = {
    url: `http://127.0.0.1:${address.port}`,
    cut: 'none',
    close: async () => {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
  return proxy
}

/** Whether a request has arrived with its whole body. */
function isWhole(call: Buffer): boolean {
  const headEnd = call.indexOf('\r\n\r\n')
  if (headEnd === -1) return false
  const length = /content-length: (\d+)/i.exec(call.subarray(0, headEnd).toString())?.[1] ?? '0'
  return call.length >= headEnd + 4 + Number(length)
}
