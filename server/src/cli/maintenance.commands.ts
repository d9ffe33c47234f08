// The office's command for maintenance.

import { parseArgs } from 'node:util'
import * as contract from '@megalot/contract'
import { carryOut } from '../changes/index.ts'
import { setMaintenance } from '../markets/maintenance/index.ts'
import { type Command, type SignedInCall, readAs, readReason, text } from './command.ts'

async function switchMaintenance({ db, args, caller }: SignedInCall): Promise<string> {
  const options = { market: text, th: text, en: text, until: text, reason: text }
  const { values, positionals } = parseArgs({ args, options, allowPositionals: true })
  const [state] = positionals
  if (state !== 'on' && state !== 'off') throw new Error('Say on or off')
  if (!contract.setMaintenance.body.shape.until_at.safeParse(values.until).success)
    throw new Error('--until must be an instant, as 2026-12-01T15:20:00+07:00')
  const { reason, ...input } = readAs(contract.setMaintenance.body, {
    product_code: values.market,
    is_on: state === 'on',
    message_th: values.th,
    message_en: values.en,
    until_at: values.until,
    reason: readReason(values.reason),
  })
  await carryOut(db, setMaintenance, { caller, input, reason })
  return `maintenance of ${values.market ?? 'everything'}: ${state}`
}

export const maintenanceCommands: Readonly<Record<string, Command>> = {
  maintenance: {
    usage: 'maintenance on|off --reason TEXT [--market MARKET] [--th TEXT --en TEXT] [--until TIME]',
    help: 'keeps members out of everything, or of betting on one market; on again changes what they are told',
    authority: contract.setMaintenance,
    run: switchMaintenance,
  },
}
