import type { SameKeys } from '../../../lib/i18n/messages.ts'
import type { messages as thai } from './maintenance.th.ts'

export const messages = {
  title: 'Maintenance',
  text: 'Of everything: members cannot get in until it is ended. Of a market: it can be looked at, but takes no new tickets. Draws and payments go on',
  begin: 'Begin maintenance',
  change: 'Change the message',
  end: 'End maintenance',
  none: 'Everything is open at present',
  everything: 'The whole product',
  scope: 'What is to be closed',
  all_out: 'All members are kept out at once, until maintenance is ended',
  message_th: 'Message in Thai',
  message_en: 'Message in English',
  usual_th: 'ระบบปิดปรับปรุงชั่วคราว กรุณาลองใหม่ภายหลัง',
  usual_en: 'Down for maintenance for a while. Please try again later',
  until: 'Expected end',
  until_hint: 'Time of Thailand. Members are told of it; nothing opens by itself then',
  open_end: 'Not known',
  reason_hint: 'Kept in the audit log. Members do not see it',
  save: 'Save',
  saved: 'Saved',
  ended: 'Maintenance is ended',
  end_text: '{name} opens to members at once',
  problem: { message: 'Please enter a message' },
} as const satisfies SameKeys<typeof thai>
