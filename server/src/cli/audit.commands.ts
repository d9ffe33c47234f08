// The command that verifies the audit log.

import { parseArgs } from 'node:util'
import { type ChainHead, type ChainProblem, verifyAuditChain } from '../modules/audit/index.ts'
import { type Command, type CommandCall, text } from './command.ts'

const meanings: Readonly<Record<ChainProblem['kind'], string>> = {
  not_chained: 'is outside of the chain: it was inserted past the application',
  gap: 'follows rows that were removed',
  wrong_previous: 'does not follow the row before it: rows were inserted or moved',
  changed: 'was changed',
  wrong_head: 'is where the chain must end, and it does not: its last rows were removed or added past the application',
  wrong_anchor: 'is not what was logged: the chain was written anew',
}

async function verify({ db, args }: CommandCall): Promise<string> {
  const { values } = parseArgs({ args, options: { head: text } })
  const anchor = values.head === undefined ? undefined : readAnchor(values.head)
  const { problems, row_count, head } = await verifyAuditChain(db, anchor)
  if (problems.length > 0) {
    const lines = problems.map(({ kind, chain_no, audit_id }) => {
      const id = audit_id === null ? '' : ` (audit_id ${audit_id})`
      return `  row ${chain_no ?? 'without a number'}${id} ${meanings[kind]}`
    })
    throw new Error(`The audit log was tampered with:\n${lines.join('\n')}`)
  }
  return `The audit log is intact: ${row_count} rows. Head: ${head.chain_no}:${head.hash}`
}

function readAnchor(value: string): ChainHead {
  const [, chain_no, hash] = /^(\d{1,15}):([0-9a-f]{64})$/.exec(value) ?? []
  if (chain_no === undefined || hash === undefined) throw new Error('--head must be NUMBER:HASH, as it was logged')
  return { chain_no: Number(chain_no), hash }
}

export const auditCommands: Readonly<Record<string, Command>> = {
  'audit-verify': {
    usage: 'audit-verify [--head NUMBER:HASH]',
    help: 'verifies the hash chain of the audit log, and that a head that was logged or noted before is still in it',
    authority: null,
    run: verify,
  },
}
