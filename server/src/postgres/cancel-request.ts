// Cancels what the server still does for a connection that this process has given up.

import pg from 'pg'

/** How long the request may take, in ms. It has no reply. */
const LIMIT_MS = 5_000

interface OpenedClient {
  host: string
  port: number
  processID: number | null
  secretKey: number | null
  ssl: pg.ClientConfig['ssl']
}

interface CancelConnection extends pg.Connection {
  connect(port: number | string, host?: string): void
  requestSsl(): void
  cancel(processID: number, secretKey: number): void
}

/**
 * Asks the server to cancel a cut connection's statement, over a separate connection (a CancelRequest, which does not
 * count towards `max_connections`). A commit that waits for its standby does not notice that its client has gone, and
 * would hold its backend and its locks until the standby is back. A cancelled commit is visible but not replicated: see
 * `commitEmptyRecord`.
 * Best effort: nothing waits for it, and without a connection it fails.
 */
export function cancelAbandoned(client: pg.ClientBase): void {
  const { host, port, processID, secretKey, ssl = false } = client as unknown as OpenedClient
  if (processID === null || secretKey === null) return
  const connection = new pg.Connection({ ssl }) as CancelConnection
  const limit = setTimeout(() => connection.stream.destroy(), LIMIT_MS)
  limit.unref()
  const cancel = (): void => connection.cancel(processID, secretKey)
  connection.on('error', () => connection.stream.destroy())
  connection.on('end', () => clearTimeout(limit))
  connection.on('connect', () => (ssl ? connection.requestSsl() : cancel()))
  connection.on('sslconnect', cancel)
  if (host.startsWith('/')) connection.connect(`${host}/.s.PGSQL.${port}`)
  else connection.connect(port, host)
}
