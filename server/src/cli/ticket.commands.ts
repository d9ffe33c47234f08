// The office's commands about single tickets.

import { parseArgs } from 'node:util'
import { proposeFor } from './approval.commands.ts'
import { type Command, readId, type SignedInCall, text } from './command.ts'

async function repairTicket(call: SignedInCall): Promise<string> {
  const { values, positionals } = parseArgs({ args: call.args, options: { reason: text }, allowPositionals: true })
  return proposeFor(call, 'repair_ticket', { order_id: readId(positionals[0], 'TICKET', 'a ticket') }, values.reason)
}

export const ticketCommands: Readonly<Record<string, Command>> = {
  'ticket-repair': {
    usage: 'ticket-repair TICKET --reason TEXT',
    help: 'proposes the entries that a ticket lacks, where what was moved is not what it costs, has won or holds',
    authority: { access: 'office', needs: 'tickets.do' },
    run: repairTicket,
  },
}
