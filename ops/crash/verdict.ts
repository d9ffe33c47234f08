// The final verdict of a benchmark: every ticket against the database, and the invariants.

import { findViolatedInvariants } from '../../server/test/invariants.ts'
import { openOwnerDatabase } from '../../server/test/data-folder-database.ts'
import type { Client } from '../../bench/client.ts'
import { checkBook, type TicketBook, type Verdict, type WrittenTicket } from './ticket-book.ts'

/** @param ownerUrl the address of the database */
export async function findVerdict(
  ownerUrl: string,
  book: TicketBook,
  clients: ReadonlyMap<string, Client>,
  report: (line: string) => void,
): Promise<Verdict & { invariants_broken: number }> {
  report(`asking for ${book.entries.size} tickets …`)
  const database = openOwnerDatabase(ownerUrl)
  const { rows: written } = await database.pool.query<WrittenTicket>(
    'select order_id::int, request_id, username from orders join users using (user_id)',
  )
  const broken = Object.entries(await findViolatedInvariants(database.db))
  for (const [name, ids] of broken) report(`  broken: ${name}: ${JSON.stringify(ids)}`)
  await database.close()
  return { ...(await checkBook(book, written, clients, report)), invariants_broken: broken.length }
}
