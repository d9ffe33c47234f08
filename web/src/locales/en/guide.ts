import type { SameKeys } from '../catalogue.ts'
import type { messages as thai } from '../th/guide.ts'

export const messages = {
  title: 'Console manual',
  text: 'For agents and the office. Read it in this order the first time. The menu shows the pages that you may use',
  contents: 'Contents',
  members: 'Manual for members',
  open: 'Open this page',
  parts: {
    first: {
      title: 'The first time',
      password:
        'Log in with your username and the one-time password that you were given. You then set a password of your own, with at least 12 characters in the office, and log in with it',
      factor:
        'Open “Two-step verification” and add a passkey or an authenticator app. Where it is required you cannot change anything before',
      codes:
        'Keep the 10 recovery codes, which are shown once: print or download them, and store them apart from the phone',
      menu: 'Press Ctrl-K and type a username, a ticket number, a market or a page to go there at once',
    },
    factor: {
      title: 'Two-step verification',
      passkey:
        'A passkey uses the fingerprint, face or PIN of a device. It is the fastest and safest way. You can add several devices',
      totp: 'An authenticator app: scan the QR code, and enter the 6 digits that the app shows. Each code works once',
      step_up:
        'Before important actions, such as results, large credit or rights, you verify again. What you began then goes on by itself; nothing is typed anew',
      lost: 'A lost device: log in with a recovery code, remove the old device and add the new one. Without a code two office users must reset it',
    },
    sessions: {
      title: 'Sessions',
      own: '“Mine” shows from which devices and addresses you were logged in, and when',
      staff:
        '“Staff” and “My line” show who is logged in now. Select several rows to end them together; a reason is needed',
      unknown: 'If you see a device that you do not know, change your password at once. Every device is logged out',
    },
    staff: {
      title: 'Staff and assistants',
      assistant:
        'Choose “New assistant”, enter a name and the areas that you give, none beyond your own. The assistant acts for you in your line, and the log names you both',
      password:
        'Hand over the one-time password, which is shown once. If it is forgotten, open the row and choose “Make a one-time password”',
      office:
        'Owners add office users and change roles. A role that may change something can need a second person; the screen says so',
      off: 'Somebody leaves: open the row and choose “Suspend”. The user is logged out at once, and so are its assistants',
    },
    audit: {
      title: 'Audit log',
      find: 'Filter by days, by who did it, by the user concerned or by the action. The filters stand in the address, so a link shows others the same',
      read: 'Open a row to see the values before and after side by side, who did it for whom, from where, and why',
      export: '“Export all as CSV” holds every row of the filter, at most 10,000',
      chain:
        'Each row holds the hash of the one before, and the log is verified every hour. If somebody changed the database, this page says so in red. Copy the last row and keep it elsewhere as proof',
    },
  },
  keys: {
    title: 'Keys',
    search: { key: 'Ctrl-K', does: 'Search, and go to another page' },
    rows: { key: '↑ ↓ Home End', does: 'Move between the rows of a list' },
    open: { key: 'Enter', does: 'Open a row' },
    select: { key: 'Space', does: 'Select a row, where rows can be selected' },
    close: { key: 'Esc', does: 'Close a dialog' },
  },
} as const satisfies SameKeys<typeof thai>
