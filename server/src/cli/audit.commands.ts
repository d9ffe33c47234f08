// Commands that verify the audit log, and show integrity violations.

import { listPermissions } from '@megalot/contract'
import { parseArgs } from 'node:util'
import { type ChainHead, type ChainProblem, verifyAuditChain } from '../changes/audit/index.ts'
import { describeFinding, readIntegrityReport, requestFullCheck } from '../oversight/invariants/index.ts'
import { type Command, type CommandCall, flag, text } from './command.ts'

const meanings: Readonly<Record<ChainProblem['kind'], string>> = {
  not_chained: 'is outside of the chain: it was inserted past the application',
  gap: 'follows rows that were removed',
  wrong_previous: 'does not follow the row before it: rows were inserted or moved',
  changed: 'was changed',
  wrong_head: 'is where the chain must end, and it does not: its last rows were removed or added past the application',
  lost: 'has lost a content, and its person was not erased',
  wrong_anchor: 'is not what was logged: the chain was written anew',
}

async function verify({ db, args }: CommandCall): Promise<string> {
  const { values } = parseArgs({ args, options: { head: text } })
  const anchor = values.head === undefined ? undefined : readAnchor(values.head)
  const { problems, row_count, head, erased } = await verifyAuditChain(db, anchor)
  if (problems.length > 0) {
    const lines = problems.map(({ kind, chain_no, audit_id }) => {
      const id = audit_id === null ? '' : ` (audit_id ${audit_id})`
      return `  row ${chain_no ?? 'without a number'}${id} ${meanings[kind]}`
    })
    throw new Error(`The audit log was tampered with:\n${lines.join('\n')}`)
  }
  const persons =
    erased.length > 0 ? `\nErased by two people, compare with their proposals: users ${erased.join(', ')}` : ''
  return `The audit log is intact: ${row_count} rows. Head: ${head.chain_no}:${head.hash}${persons}`
}

function readAnchor(value: string): ChainHead {
  const [, chain_no, hash] = /^(\d{1,15}):([0-9a-f]{64})$/.exec(value) ?? []
  if (chain_no === undefined || hash === undefined) throw new Error('--head must be NUMBER:HASH, as it was logged')
  return { chain_no: Number(chain_no), hash }
}

/** Anyone who controls the machine sees everything. */
const permissionsOfOwner = listPermissions({ is_member: false, office_role: 'owner', assistant_areas: null })

async function showReport({ db, args }: CommandCall): Promise<string> {
  const { values } = parseArgs({ args, options: { everything: flag } })
  if (values.everything) await requestFullCheck(db)
  const { data, top_level } = await readIntegrityReport(db, { permissions: permissionsOfOwner })
  const lines = [
    `The auditor last checked what had changed at ${top_level.ran_at ?? '–'}, and everything at ${top_level.everything_checked_at ?? '–'}.`,
    ...(values.everything ? ['It checks everything again, from its next run on.'] : []),
  ]
  const open = data.filter(({ whole_at }) => whole_at === null)
  lines.push(open.length === 0 ? 'Every invariant of money holds.' : 'Broken:')
  for (const { invariant, name_en, broken_at, seen_at, record_count, findings } of open)
    lines.push(
      `  ${invariant}, since ${broken_at}, last seen ${seen_at}, ${record_count} records: not so: ${name_en}`,
      ...findings.map((finding) => `    ${describeFinding(finding)}`),
    )
  const ended = data.filter(({ whole_at }) => whole_at !== null)
  if (ended.length > 0) lines.push('Holds again:')
  for (const { invariant, broken_at, whole_at } of ended)
    lines.push(`  ${invariant}, broken ${broken_at}, again since ${whole_at}`)
  return lines.join('\n')
}

export const auditCommands: Readonly<Record<string, Command>> = {
  audit: {
    usage: 'audit [--everything]',
    help: 'shows which invariants of money the auditor found broken, and when it last ran; --everything has it check everything again',
    authority: null,
    isOwners: true,
    run: showReport,
  },
  'audit-verify': {
    usage: 'audit-verify [--head NUMBER:HASH]',
    help: 'verifies the hash chain of the audit log, and that a head that was logged or noted before is still in it',
    authority: null,
    run: verify,
  },
}
