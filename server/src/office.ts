// `npm run office -- …`: the actions of the office from the command line, on the application's database.

import { createInterface } from 'node:readline/promises'
import { refusals } from '@megalot/contract'
import { readConfig } from './config.ts'
import { describeCommands, findCommand } from './cli/office.commands.ts'
import { makeAppLogin } from './platform/app-login.ts'
import { openDatabase } from './platform/db.ts'
import { startEmbeddedPostgres } from './platform/embedded-postgres.ts'
import { migrate } from './platform/migrate.ts'
import { Refusal } from './platform/refusal.ts'

async function main(): Promise<number> {
  const [name, ...args] = process.argv.slice(2)
  const command = findCommand(name)
  if (!command) {
    console.error(
      `What the office can do:\n${describeCommands()}\n\nPasswords are asked for, or taken from OFFICE_PASSWORD.`,
    )
    return 2
  }
  const config = readConfig(process.env)
  // Joins the application's running database, else starts it for the time of the command.
  const embedded = config.databaseUrl ? undefined : await startEmbeddedPostgres({ dataDir: config.dataDir })
  const ownerUrl = embedded?.url ?? config.ownerDatabaseUrl!
  try {
    await migrate(ownerUrl)
    const url = embedded ? await makeAppLogin(embedded.url) : config.databaseUrl!
    const database = command.isOwners
      ? openDatabase({ url: ownerUrl, role: 'owner', maxConnections: 2 })
      : openDatabase({ url, role: 'megalot_app', maxConnections: 2 })
    try {
      console.info(await command.run({ db: database.db, args, askSecret }))
    } finally {
      await database.close()
    }
    return 0
  } finally {
    await embedded?.stop()
  }
}

async function askSecret(question: string): Promise<string> {
  const given = process.env.OFFICE_PASSWORD
  if (given !== undefined) return given
  process.stderr.write(question)
  // The terminal does not show what is typed.
  const terminal = createInterface({ input: process.stdin, terminal: process.stdin.isTTY })
  const answer = await terminal.question('')
  terminal.close()
  process.stderr.write('\n')
  return answer
}

main().then(
  (code) => process.exit(code),
  (error: unknown) => {
    if (error instanceof Refusal) {
      const details = Object.keys(error.details).length > 0 ? `\n${JSON.stringify(error.details)}` : ''
      console.error(`${refusals[error.code].th}\n${refusals[error.code].en}${details}`)
    } else console.error(error instanceof Error ? error.message : error)
    process.exit(1)
  },
)
