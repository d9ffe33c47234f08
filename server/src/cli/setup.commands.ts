// The command that prints a set-up address.

import { describeSetupLink, makeSetupLink, prepareHouse } from '../identity/setup/index.ts'
import type { Command, CommandCall } from './command.ts'

async function showSetupLink({ db, settings }: CommandCall): Promise<string> {
  await prepareHouse(db)
  const link = await makeSetupLink(db, settings.publicUrl)
  if (!link) throw new Error('There is an owner already, who invites the second one on the console, under Readiness')
  return describeSetupLink(link)
}

export const setupCommands: Readonly<Record<string, Command>> = {
  'setup-link': {
    usage: 'setup-link',
    help: 'first start: prints an address at which the first owner is made in the browser, as long as there is no owner',
    authority: null,
    // The application's log-in cannot create addresses.
    isOwners: true,
    run: showSetupLink,
  },
}
