// Whether the database admits as many connections as the nodes may open.

import pg from 'pg'

export interface ConnectionPlan {
  /** What one node opens at most. */
  perNode: number
  /** How many nodes use the database. */
  nodes: number
}

/**
 * Compares what all nodes may open with the server's `max_connections`, without those reserved for superusers.
 * The owner needs no `pg_read_all_stats`: of other log-ins' connections it sees user and database, but not the type, so
 * their parallel workers count as connections.
 * @returns a sentence for the operator if connections may be short now, because others use the server too
 * @throws Error with a sentence for the operator if the nodes alone exceed it
 */
export async function checkConnections(
  databaseUrl: string,
  { perNode, nodes }: ConnectionPlan,
): Promise<string | undefined> {
  const client = new pg.Client({ connectionString: databaseUrl })
  client.on('error', () => {})
  await client.connect()
  try {
    const { rows } = await client.query<{ admitted: number; used: number }>(`
      select (select setting::int from pg_settings where name = 'max_connections')
          - (select sum(setting::int) from pg_settings
             where name in ('superuser_reserved_connections', 'reserved_connections'))::int as admitted,
        (select count(*)::int from pg_stat_activity
         where usesysid is not null and datid is not null and coalesce(backend_type, 'client backend') = 'client backend'
           and pid <> pg_backend_pid()) as used`)
    const { admitted, used } = rows[0]!
    const planned = perNode * nodes
    const sums = `${nodes} × ${perNode} = ${planned} connections, and the database admits ${admitted}`
    if (planned > admitted)
      throw new Error(
        `The nodes may open ${sums}. Raise max_connections, or lower DATABASE_NODES, DATABASE_CALL_CONNECTIONS, ` +
          `DATABASE_REPORT_CONNECTIONS or DATABASE_LIST_CONNECTIONS.`,
      )
    if (used + perNode > admitted)
      return `The nodes may open ${sums}, of which ${used} are in use: a node may get too few.`
    return undefined
  } finally {
    await client.end()
  }
}
