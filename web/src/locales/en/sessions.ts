import type { SameKeys } from '../catalogue.ts'
import type { messages as thai } from '../th/sessions.ts'

export const messages = {
  title: 'Sessions',
  text: 'If you see a device that you do not know, end its session and change the password at once. A username is logged in on one device at a time',
  scope: { label: 'Whose', own: 'Mine', staff: 'Staff', downline: 'My line' },
  none: 'Nobody is logged in',
  user: 'User',
  device: 'Device',
  unknown_device: 'Unknown',
  address: 'IP address',
  started_at: 'Logged in',
  last_active_at: 'Last seen',
  factor_verified_at: 'Second factor at',
  state: 'State',
  current: 'This device',
  live: 'Logged in',
  ended: 'Ended {time}',
  end: 'End',
  end_of: 'End the sessions of {username}',
  end_text: 'The chosen users are logged out at once, and may log in again',
  end_selected: 'End the selected',
  end_submit: 'End the sessions',
  done: 'Logged out',
  outcome: 'Outcome for each',
  log_off: 'Log off this device',
} as const satisfies SameKeys<typeof thai>
