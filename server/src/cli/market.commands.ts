// The command for the calendar of stock exchanges.

import { listExchangeHorizons } from '../markets/index.ts'
import type { Command, CommandCall } from './command.ts'

async function showExchanges({ db }: CommandCall): Promise<string> {
  const exchanges = await listExchangeHorizons(db)
  const lines = exchanges.map((each) => {
    const { exchange_code, zone, published_until, listed_until, note, next_day, next_closes, next_name } = each
    const next = next_day === null ? 'none' : `${next_day} ${next_closes ?? 'closed'} ${next_name}`
    return `${exchange_code}  ${zone}\n  published until ${published_until}, expected until ${listed_until}; next: ${next}\n  ${note}`
  })
  return lines.join('\n')
}

export const marketCommands: Readonly<Record<string, Command>> = {
  'exchange-days': {
    usage: 'exchange-days',
    help: 'how far the days of each stock exchange are known, and its next holiday or early close',
    authority: null,
    run: showExchanges,
  },
}
