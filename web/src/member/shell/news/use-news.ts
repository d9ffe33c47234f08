import { useAnnouncementNews } from './announcement-news.ts'
import { useClosingNews } from './closing-news.ts'
import { useDeletedNews } from './deleted-news.ts'
import type { NewsItem } from './news-item.ts'
import { usePendingNews } from './pending-news.ts'
import { usePeriodNews } from './period-news.ts'
import { useSettledNews } from './settled-news.ts'
import { useWaitingNews } from './waiting-news.ts'

/** A member's current news, the most urgent first: the nearest deadline, then the rest. */
export function useNews(user_id: number): readonly NewsItem[] {
  const items = [
    ...useWaitingNews(user_id),
    ...usePendingNews(user_id),
    ...useClosingNews(user_id),
    ...usePeriodNews(),
    ...useDeletedNews(user_id),
    ...useSettledNews(user_id),
    ...useAnnouncementNews(),
  ]
  const due = items.filter(({ until_ms }) => until_ms !== null)
  return [
    ...due.toSorted((a, b) => (a.until_ms ?? 0) - (b.until_ms ?? 0)),
    ...items.filter(({ until_ms }) => until_ms === null),
  ]
}
