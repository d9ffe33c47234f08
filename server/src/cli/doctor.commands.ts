// The command that checks the set-up.

import { runChecks } from '../oversight/readiness/index.ts'
import type { Command, CommandCall } from './command.ts'

const marks = { ok: '  ok     ', warning: '  missing', wrong: '  WRONG  ' } as const

async function doctor({ db, settings }: CommandCall): Promise<string> {
  const found = await runChecks(db, settings)
  const lines = found.flatMap((check) => {
    const title = `${marks[check.state]}  ${check.title_en}${check.found === null ? '' : `: ${check.found}`}`
    return check.todo_en === null ? [title] : [title, `           ${check.todo_en}`]
  })
  if (found.some(({ state }) => state === 'wrong')) throw new Error(`The house is not ready:\n${lines.join('\n')}`)
  return lines.join('\n')
}

export const doctorCommands: Readonly<Record<string, Command>> = {
  doctor: {
    usage: 'doctor',
    help: 'checks the set-up: TLS, mail, backups, owners, log-ins of the database, markets; ends with 1 where something is wrong',
    authority: null,
    run: doctor,
  },
}
