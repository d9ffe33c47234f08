import type { SameKeys } from '../../lib/i18n/messages.ts'
import type { messages as thai } from './shell.th.ts'

export const messages = {
  menu: {
    label: 'Main menu',
    lotto: 'Bet',
    bills: 'Tickets',
    reports: 'Reports',
    awards: 'Awards',
    manual: 'Manual',
  },
  skip: 'Skip to content',
  panel: { label: 'Member', account: 'My account', open: 'Open the member panel' },
  credit: {
    remain: 'Credit remaining',
    used: 'Used',
    limit: 'Limit',
    remain_short: 'Remaining',
    bar: '{percent}% of credit used',
  },
  notice: {
    SUSPENDED: 'You have been suspended. Please contact higher-ups',
    DISABLED_BET: 'Betting is disabled for your account. Please contact higher-ups',
  },
  log_off: 'Log out',
  shared_device: {
    title: 'Do others use this device too?',
    text: 'This device still keeps a slip that you have not sent. You are asked this once',
    shared: 'Yes: remove everything of mine',
    own: 'No: keep what is mine',
  },
  balance: 'My balance',
  change_password: 'Change password',
  email: 'Email',
  sessions: 'Log-ins',
  contact: { open: 'Contact your agent', line: 'LINE {line_id}', phone: 'Call {phone}' },
  limits: 'My limits',
  own_data: 'My data',
  announcement: { none: 'Announcements', unread: 'Announcements, {count} unread' },
  reminder: {
    title: 'Time reminder',
    text: 'You have been here for {minutes} minutes',
    go_on: 'Go on',
    limits: 'Set limits or take a break',
  },
  update: {
    title: 'Please update the latest version',
    text: 'The page reloads now. Your draft slip is kept',
    still: 'Close this page in all tabs and open it again. Your draft slip is kept',
  },
  pending: {
    found: 'The ticket was received: number {order_id}',
    absent: 'The server did not receive the ticket. Nothing was debited',
  },
  offline: 'No internet connection. Your draft slip is kept',
} as const satisfies SameKeys<typeof thai>
