// Saved views of a list, on the server.

import type { BodyOf, Rows } from '@megalot/contract'
import { dropView, listViews, saveView, shareView } from '@megalot/contract/browser'
import { queryOptions } from '@tanstack/react-query'
import { callRoute } from '../../lib/api/http-client.ts'
import { queryKeys } from '../../lib/api/query-keys.ts'
import type { Change } from '../../lib/api/use-change.ts'
import type { GridView } from '../../ui/grid/grid-column.ts'

/** The user's own views of a list, and those shared with the user. */
export const viewsQuery = (page: string) =>
  queryOptions({
    queryKey: queryKeys.savedViews.of(page),
    queryFn: async ({ signal }): Promise<GridView[]> =>
      (await callRoute(listViews, { query: { page }, signal })).data.map((view) => ({
        ...view,
        search: Object.fromEntries(new URLSearchParams(view.search)),
      })),
  })

export const keepView: Change<BodyOf<Rows['saveView']> & { isShared: boolean }> = {
  changes: 'saved_views_changed',
  send: ({ isShared, ...body }) => (isShared ? callRoute(shareView, { body }) : callRoute(saveView, { body })),
}

export const removeView: Change<BodyOf<Rows['dropView']>> = {
  changes: 'saved_views_changed',
  send: (body) => callRoute(dropView, { body }),
}
