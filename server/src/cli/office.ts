// `npm run office -- …`: machine commands, on the application's database.

import { readFile } from 'node:fs/promises'
import { createInterface } from 'node:readline/promises'
import { refusalSentence } from '@megalot/contract'
import { readConfig } from '../config.ts'
import type { Secret } from './ask-secret.ts'
import { runCommand } from './command.ts'
import { openCommandDatabase } from './command-database.ts'
import { describeCommands, findCommand } from './office.commands.ts'
import { setBreachedPasswords } from '../identity/accounts/index.ts'
import { makeAppLogin } from '../postgres/database-log-ins.ts'
import { findRunningPostgres, startEmbeddedPostgres } from '../postgres/embedded-postgres.ts'
import { readFactorKey } from '../lib/factor-key.ts'
import { migrate } from '../postgres/migrate.ts'
import { Refusal } from '../lib/refusal.ts'

async function main(): Promise<number> {
  const [name, ...args] = process.argv.slice(2)
  const command = findCommand(name)
  if (!command) {
    const unknown = name === undefined ? '' : `There is no command ${name}. `
    console.error(`${unknown}${callHelp}\n${describeCommands()}\n\n${secretsHelp}`)
    return 2
  }
  const config = readConfig(process.env)
  setBreachedPasswords(config.breachedPasswords)
  const embedded = config.databaseUrl ? undefined : await openEmbedded(config.dataDir)
  const ownerUrl = embedded?.url ?? config.ownerDatabaseUrl!
  try {
    await migrate(ownerUrl)
    const factorKey = await readFactorKey(config)
    const url = embedded ? await makeAppLogin(embedded.url) : config.databaseUrl!
    const database = openCommandDatabase(command, { url, ownerUrl })
    try {
      console.info(await runCommand(command, { db: database.db, args, askSecret, settings: { ...config, factorKey } }))
    } finally {
      await database.close()
    }
    return 0
  } finally {
    await embedded?.stop()
  }
}

/** Uses the running application's database; otherwise starts it for the duration of the command. */
async function openEmbedded(dataDir: string): Promise<{ url: string; stop: () => Promise<void> }> {
  const running = await findRunningPostgres(dataDir)
  return running ? { url: running.url, stop: async () => {} } : startEmbeddedPostgres({ dataDir })
}

/** Variables that hold a secret, or the name of a file with it. */
const secretVariables = {
  password: 'OFFICE_PASSWORD',
  factor_code: 'FACTOR_CODE',
} as const

const callHelp = `Commands, each after \`npm run office --\` in a clone, and in deploy/server after
\`docker compose exec megalot node server/dist/office.js\`:`

const secretsHelp = `--as names the user who signs in. The password is asked for, or taken from OFFICE_PASSWORD or the file named by
OFFICE_PASSWORD_FILE, and a code of a second factor from FACTOR_CODE or FACTOR_CODE_FILE. They are never arguments.`

async function askSecret(question: string, secret: Secret): Promise<string> {
  const variable = secretVariables[secret]
  const given = process.env[variable]
  if (given !== undefined) return given
  const file = process.env[`${variable}_FILE`]
  if (file !== undefined) return (await readFile(file, 'utf8')).replace(/\r?\n$/, '')
  process.stderr.write(question)
  // Hides typed text.
  const terminal = createInterface({ input: process.stdin, terminal: process.stdin.isTTY })
  const answer = await new Promise<string>((resolve, reject) => {
    terminal.once('close', () => reject(new Error(`Nothing was typed. Without a terminal, set ${variable}.`)))
    terminal.question('').then(resolve, reject)
  })
  terminal.close()
  process.stderr.write('\n')
  return answer
}

main().then(
  (code) => process.exit(code),
  (error: unknown) => {
    if (error instanceof Refusal) {
      const details = Object.keys(error.details).length > 0 ? `\n${JSON.stringify(error.details)}` : ''
      console.error(
        `${refusalSentence(error.code, error.details, 'th')}\n${refusalSentence(error.code, error.details, 'en')}${details}`,
      )
    } else console.error(error instanceof Error ? error.message : error)
    process.exit(1)
  },
)
