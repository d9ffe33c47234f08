// Opens the database with the rights of a command.

import { type Database, openDatabase } from '../postgres/db.ts'
import type { Command } from './command.ts'

export interface CommandUrls {
  /** The application's log-in. */
  url: string
  ownerUrl: string
}

export function openCommandDatabase(command: Command, { url, ownerUrl }: CommandUrls): Database {
  const isOwners = command.authority === null && command.isOwners === true
  return isOwners
    ? openDatabase({ url: ownerUrl, role: 'owner', maxConnections: 2 })
    : openDatabase({ url, role: 'megalot_app', maxConnections: 2 })
}
