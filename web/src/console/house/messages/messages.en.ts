import type { SameKeys } from '../../../lib/i18n/messages.ts'
import type { messages as thai } from './messages.th.ts'

export const messages = {
  title: 'Manage announcements',
  text: 'Everybody reads those that are shown; those that are hidden only the company sees',
  write: 'Write an announcement',
  change: 'Change the announcement',
  remove: 'Remove the announcement',
  none: 'No announcements yet',
  type: 'Kind',
  news: 'News',
  important: 'Important',
  title_th: 'Title in Thai',
  title_en: 'Title in English',
  body_th: 'Text in Thai',
  body_en: 'Text in English',
  show_to_all: 'Show it to everybody',
  unread_again: 'Once saved it is unread again for everybody',
  shown: 'Shown',
  hidden: 'Hidden',
  show: 'Show',
  hide: 'Hide',
  save: 'Save',
  saved: 'The announcement is saved',
  removed: 'The announcement is removed',
  remove_text: 'Remove “{title}”? Nobody sees it any more',
  problem: { title: 'Please enter a title' },
} as const satisfies SameKeys<typeof thai>
