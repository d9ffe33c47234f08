// The parts of the operators' manual, in the order of reading. The address of a task is the page with the name of its part:
// `/console/guide#credit`. Ctrl-K finds them by their titles.

import { findScreen, mayOpen, type Operator } from '../../menu.ts'

export type ManualPart = keyof AppMessages['palette']['task']

/** Each part with its steps and the page that it is about. */
const manualParts = [
  { name: 'first', steps: ['password', 'halves', 'factor', 'codes', 'menu'], to: '/account/security' },
  { name: 'day', steps: ['watch', 'keys', 'close', 'void'], to: '/today' },
  { name: 'results', steps: ['type', 'preview', 'second', 'differs', 'correct'], to: '/results' },
  { name: 'calendar', steps: ['read', 'holiday', 'timetable', 'switch'], to: '/calendar' },
  { name: 'find', steps: ['search', 'tree', 'columns', 'keys'], to: '/people' },
  { name: 'open_member', steps: ['form', 'copy', 'credit', 'password', 'hand_over'], to: '/people/new' },
  { name: 'codes', steps: ['make', 'share', 'arrives', 'off'], to: '/people/codes' },
  { name: 'credit', steps: ['rule', 'change', 'many', 'repeat'], to: '/people' },
  { name: 'money', steps: ['sheet', 'one', 'many', 'undo', 'limits', 'figure', 'disputes'], to: '/money' },
  { name: 'clearing', steps: ['made', 'send', 'confirm', 'correction', 'cash'], to: '/money' },
  { name: 'halt', steps: ['one', 'line', 'tickets', 'release'], to: '/people' },
  { name: 'packages', steps: ['give', 'take', 'open_tickets'], to: '/people' },
  { name: 'member_password', steps: ['reset', 'once', 'first_log_in'], to: '/people' },
  { name: 'numbers', steps: ['paste', 'value', 'where', 'preview', 'undo'], to: '/numbers' },
  { name: 'terms', steps: ['where', 'return', 'two_people', 'refused'], to: '/terms' },
  { name: 'risk', steps: ['board', 'heat', 'set', 'results', 'age'], to: '/risk' },
  { name: 'signals', steps: ['what', 'rule', 'next', 'sees'], to: '/signals' },
  { name: 'approvals', steps: ['what', 'who', 'decide', 'results', 'expiry'], to: '/approvals' },
  {
    name: 'recovery',
    steps: ['no_mail', 'propose', 'approve', 'hand_over', 'owners', 'assistants'],
    to: '/staff',
  },
  { name: 'factor', steps: ['passkey', 'totp', 'step_up', 'lost'], to: '/account/security' },
  { name: 'sessions', steps: ['own', 'staff', 'unknown'], to: '/account/sessions' },
  { name: 'staff', steps: ['assistant', 'password', 'office', 'off'], to: '/staff' },
  { name: 'tickets', steps: ['number', 'filters', 'result', 'remove', 'views'], to: '/tickets' },
  { name: 'reports', steps: ['tree', 'kinds', 'files', 'agree'], to: '/downline' },
  { name: 'audit', steps: ['find', 'read', 'export', 'chain'], to: '/audit' },
] as const satisfies readonly { name: ManualPart; steps: readonly string[]; to: string }[]

/** The parts about the pages that a user may open. */
export function manualPartsOf(user: Operator) {
  return manualParts.filter(({ to }) => {
    const found = findScreen(to)
    return found !== undefined && mayOpen(user, found.tab.page.staticData.access)
  })
}
