import type { SameKeys } from '../../lib/i18n/messages.ts'
import type { messages as thai } from './grid.th.ts'

export const messages = {
  count: '{count, plural, one {# row} other {# rows}}',
  count_so_far: '{count, number}+ rows',
  count_of: '{count, number} of {total, plural, one {# row} other {# rows}}',
  selected: '{count, number} selected',
  select_loaded: 'Select all rows shown',
  unselect: 'Clear selection',
  select_row: 'Select {name}',
  view: 'View',
  sort: 'Sort by',
  unsorted: 'Usual order',
  ascending: '{column}, ascending',
  descending: '{column}, descending',
  columns: 'Columns',
  views: 'Saved views',
  share_view: 'Share with my team',
  view_shared: 'shared',
  view_shared_by: 'by {name}',
  no_views: 'None yet. Set filters and columns, and save them to open them again',
  view_name: 'Name of the view',
  save_view: 'Save',
  remove_view: 'Remove the view {name}',
} as const satisfies SameKeys<typeof thai>
