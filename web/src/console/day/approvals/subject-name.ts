// Names the subject of a decision. The log and the wire give its key, such as `package:dow/90`.

import type { WaitingDecision } from '@megalot/contract'
import type { Names } from '../../../shared/markets/use-names.ts'

type Named = Pick<WaitingDecision, 'approval' | 'kind' | 'period_code' | 'product_code'>

export interface SubjectWords extends Pick<Names, 'marketName' | 'periodName'> {
  company: string
}

/** `Dow Jones · 90`, `Lao VIP · 5 Jan 2026`, `support01 (Somchai)`, `#1042`; the key itself where it is of no known form. */
export function nameSubject({ approval, kind, period_code, product_code }: Named, words: SubjectWords): string {
  if (period_code !== null) return words.periodName(period_code, product_code)
  if (approval === null) return ''
  if (kind === 'change_credit_limit') return words.company
  const [form, key = ''] = approval.subject.split(/:(.*)/)
  if (form === 'order') return `#${key}`
  if (form === 'user') return nameUser(approval.figures, approval.subject)
  if (form === 'product') return words.marketName(key)
  if (form === 'period') return words.periodName(key, product_code)
  const [market, package_code] = key.split('/')
  return form === 'package' && market !== undefined && package_code !== undefined
    ? `${words.marketName(market)} · ${package_code}`
    : approval.subject
}

/** A proposal about somebody holds the names of that user. */
function nameUser({ username, display_name }: Readonly<Record<string, unknown>>, subject: string): string {
  if (typeof username !== 'string') return subject
  return typeof display_name === 'string' && display_name !== '' && display_name !== username
    ? `${username} (${display_name})`
    : username
}
