// The mail of an alert, in Thai and English.

import { AUDITOR_RUNS } from '@megalot/contract'
import { bangkokTime } from '../../lib/bangkok.ts'
import type { Mail } from '../../lib/mail.ts'
import type { Alert } from './alarms.store.ts'
import type { Finding } from './invariant.ts'
import { describeInvariant } from './invariants.ts'

export function writeAlertMail(
  to: string,
  { kind, invariant, broken_at, whole_at, findings }: Omit<Alert, 'alarm_id' | 'channel' | 'recipient' | 'tries'>,
): Mail {
  const { name } = describeInvariant(invariant)
  const since = bangkokTime(broken_at.toISOString())
  if (kind === 'invariant_whole') {
    const at = whole_at === null ? '' : bangkokTime(whole_at.toISOString())
    return {
      to,
      subject: `megalot: กลับมาถูกต้องแล้ว / holds again: ${invariant}`,
      text: [
        `ตรวจพบว่าเงื่อนไขนี้กลับมาถูกต้องแล้วเมื่อ ${at} (ผิดตั้งแต่ ${since})`,
        name.th,
        '',
        `This holds again since ${at} (it was broken since ${since}):`,
        name.en,
      ].join('\n'),
    }
  }
  const found = invariant === AUDITOR_RUNS ? 'ไม่มีการตรวจสอบยอดเงิน' : 'ยอดเงินไม่ตรง'
  return {
    to,
    subject: `megalot: ${found} / invariant broken: ${invariant}`,
    text: [
      `ตรวจพบเมื่อ ${since} ว่าเงื่อนไขนี้ไม่เป็นจริง`,
      name.th,
      '',
      `Found at ${since}, this does not hold:`,
      name.en,
      '',
      ...findings.map((finding) => `- ${describeFinding(finding)}`),
      '',
      'docs/runbooks/auditor.md',
    ].join('\n'),
  }
}

const figures = [
  'order_id',
  'entry_id',
  'user_id',
  'period_id',
  'bet',
  'stored',
  'computed',
] as const satisfies readonly (keyof Finding)[]

/** A finding's figures in one line; amounts as stored. */
export function describeFinding(
  finding: Readonly<{ [Name in keyof Finding]?: Finding[Name] | null | undefined }>,
): string {
  return figures
    .flatMap((name) => (finding[name] === null || finding[name] === undefined ? [] : `${name} ${finding[name]}`))
    .join(', ')
}
