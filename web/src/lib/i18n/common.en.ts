import type { SameKeys } from './messages.ts'
import type { messages as thai } from './common.th.ts'

export const messages = {
  app_name: 'megalot',
  failure: {
    no_reply: 'The service cannot be reached. Please check your connection and try again',
    page: 'This page failed. Please reload it',
  },
  action: {
    retry: 'Try again',
    reload: 'Reload',
    close: 'Close',
    cancel: 'Cancel',
    back: 'Back',
    load_more: 'Show more',
    refresh: 'Refresh',
  },
  reason: { label: 'Reason', too_short: 'Please give a reason of at least {least} characters' },
  version: 'Version {version}',
  licences: 'Licences',
  loading: 'Loading',
  language: { label: 'Language', th: 'ไทย', en: 'English' },
  theme: { label: 'Theme', auto: 'System', light: 'Light', dark: 'Dark' },
  not_found: {
    title: 'Page Not Found',
    text: 'The page may have moved, or the address was mistyped',
    back: 'Return to the main page',
  },
  time: {
    with_days: '{days} d {clock}',
    closed: 'Closed',
  },
  order_status: {
    CREATED: 'Created',
    INVALID: 'Invalid',
    VALIDATED: 'Validated',
    PROCESSING: 'Processing',
    WAIT_CONFIRM: 'Waiting for confirmation',
    CONFIRMED: 'Confirmed',
    CANCELLED: 'Cancelled',
    DELETED: 'Deleted',
    REFUNDED: 'Refunded',
  },
  outcome: { won: 'Won +{amount}', lost: 'Lost', awaiting: 'Awaiting result' },
  item_status: {
    wait_confirm: 'Waiting for you',
    awaiting_result: 'Awaiting result',
    won: 'Won',
    lost: 'Lost',
    returned: 'Returned',
    closed: 'Not taken',
    refunded: 'Refunded',
  },
  period_status: {
    upcoming: 'Not open yet',
    open: 'Open',
    closed: 'Closed, awaiting result',
    settled: 'Result is out',
    void: 'Void',
  },
  period: 'Period {day}',
  round: 'Round {round}',
} as const satisfies SameKeys<typeof thai>
