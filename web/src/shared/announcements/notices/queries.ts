import { listNotices, readNotices } from '@megalot/contract/browser'
import { queryOptions } from '@tanstack/react-query'
import { queryKeys } from '../../../lib/api/query-keys.ts'
import { afterNextPaint } from '../../../lib/page/after-next-paint.ts'
import { callRoute } from '../../../lib/api/http-client.ts'
import type { Change } from '../../../lib/api/use-change.ts'

const MAX_NOTICES = '50'

/** Notices of a member, such as corrected results of its bets, newest first, with the count of unread ones. */
export const noticesQuery = queryOptions({
  queryKey: queryKeys.notices.all,
  queryFn: async ({ signal }) => {
    await afterNextPaint()
    const { data, unread_count } = await callRoute(listNotices, { query: { ipp: MAX_NOTICES }, signal })
    return { notices: data, unread_count }
  },
  staleTime: 60_000,
})

/** Marks the notices up to one as read. */
export const markNoticesRead: Change<number> = {
  changes: 'notices_read',
  send: (up_to_notice_id) => callRoute(readNotices, { body: { up_to_notice_id } }),
}
