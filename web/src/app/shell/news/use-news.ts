import { useAnnouncementNews } from './announcement-news.ts'
import { useClosingNews } from './closing-news.ts'
import { useDeletedNews } from './deleted-news.ts'
import type { NewsItem } from './news-item.ts'
import { usePendingNews } from './pending-news.ts'
import { usePeriodNews } from './period-news.ts'
import { useSettledNews } from './settled-news.ts'
import { useWaitingNews } from './waiting-news.ts'

/** Everything that a member should know now, the most urgent first. */
export function useNews(user_id: number): readonly NewsItem[] {
  return [
    ...useWaitingNews(user_id),
    ...usePendingNews(user_id),
    ...useClosingNews(user_id),
    ...usePeriodNews(),
    ...useDeletedNews(user_id),
    ...useSettledNews(user_id),
    ...useAnnouncementNews(),
  ]
}
