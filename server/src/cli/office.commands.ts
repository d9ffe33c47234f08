// The commands of `npm run office`, by name: tasks on the machine, and tasks without a form in the console.

import { auditCommands } from './audit.commands.ts'
import { bookCommands } from './book.commands.ts'
import type { Command } from './command.ts'
import { doctorCommands } from './doctor.commands.ts'
import { maintenanceCommands } from './maintenance.commands.ts'
import { marketCommands } from './market.commands.ts'
import { proposalCommands } from './proposal.commands.ts'
import { sessionsCommands } from './sessions.commands.ts'
import { setupCommands } from './setup.commands.ts'
import { sumsCommands } from './sums.commands.ts'

export const officeCommands: Readonly<Record<string, Command>> = {
  ...doctorCommands,
  ...setupCommands,
  ...marketCommands,
  ...sumsCommands,
  ...auditCommands,
  ...bookCommands,
  ...sessionsCommands,
  ...maintenanceCommands,
  ...proposalCommands,
}

export function findCommand(name: string | undefined): Command | undefined {
  return name !== undefined && Object.hasOwn(officeCommands, name) ? officeCommands[name] : undefined
}

export function describeCommands(): string {
  return Object.values(officeCommands)
    .map(({ usage, help, authority }) => {
      const signsIn = authority === null ? '' : ' --as USERNAME'
      return `  ${usage}${signsIn}\n      ${help}`
    })
    .join('\n')
}
