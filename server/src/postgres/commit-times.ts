// Whether the server records commit times, with which the integrity check finds transactions held open over a close.

import pg from 'pg'

/** @returns a sentence for the operator if it does not */
export async function checkCommitTimes(databaseUrl: string): Promise<string | undefined> {
  const client = new pg.Client({ connectionString: databaseUrl })
  client.on('error', () => {})
  await client.connect()
  try {
    const { rows } = await client.query<{ is_on: boolean }>(
      "select current_setting('track_commit_timestamp') = 'on' as is_on",
    )
    if (rows[0]!.is_on) return undefined
    return 'The database does not note when transactions are committed: set track_commit_timestamp to on and restart it. Until then nothing checks committed_in_time.'
  } finally {
    await client.end()
  }
}
