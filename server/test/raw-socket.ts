// A socket to a node, for bytes that no HTTP client sends. Closed when the test file ends.

import { connect, type Socket } from 'node:net'
import { closeAtFileEnd } from './file-end.ts'

export function openSocket(port: number): Socket {
  const socket = connect(port, '127.0.0.1')
  socket.on('error', () => {})
  closeAtFileEnd(async () => void socket.destroy())
  return socket
}
