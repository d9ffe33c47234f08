import type { AnnouncementContent, BodyOf, Maintenance, Rows } from '@megalot/contract'
import {
  checkMaintenance,
  createAnnouncement,
  deleteAnnouncement,
  enableAnnouncement,
  listAllAnnouncements,
  setMaintenance,
  updateAnnouncement,
} from '@megalot/contract/browser'
import { queryOptions } from '@tanstack/react-query'
import { queryKeys } from '../../../lib/api/query-keys.ts'
import { callRoute } from '../../../lib/api/http-client.ts'
import { withRefresh } from '../../../lib/api/with-refresh.ts'

/** What is under maintenance; `product_code` null: the whole product. */
export interface MaintenanceEntry extends Maintenance {
  product_code: string | null
}

/** What is under maintenance at present, the whole product first. */
export const maintenanceQuery = queryOptions({
  queryKey: queryKeys.maintenance.all,
  queryFn: async ({ signal }): Promise<readonly MaintenanceEntry[]> => {
    const { maintenance, products } = (await callRoute(checkMaintenance, { signal })).data
    return [...(maintenance === null ? [] : [{ product_code: null, ...maintenance }]), ...products]
  },
  refetchInterval: 30_000,
})

export async function saveMaintenance(body: BodyOf<Rows['setMaintenance']>): Promise<void> {
  await withRefresh('maintenance_changed', () => callRoute(setMaintenance, { body }), { isAwaited: true })
}

/** Every announcement, those that are not shown too, newest first. */
export const allAnnouncementsQuery = queryOptions({
  queryKey: queryKeys.announcements.ofOffice,
  queryFn: async ({ signal }) => (await callRoute(listAllAnnouncements, { signal })).data,
})

/** Writes an announcement anew, or makes one where there is no id. */
export async function saveAnnouncement(announce_id: number | null, content: AnnouncementContent): Promise<void> {
  const send = async (): Promise<unknown> =>
    announce_id === null
      ? callRoute(createAnnouncement, { body: content })
      : callRoute(updateAnnouncement, { body: { announce_id, ...content } })
  await withRefresh('announcement_changed', send, { isAwaited: true })
}

export async function showAnnouncement(announce_id: number, is_enabled: boolean): Promise<void> {
  const send = () => callRoute(enableAnnouncement, { body: { announce_id, is_enabled } })
  await withRefresh('announcement_changed', send, { isAwaited: true })
}

export async function removeAnnouncement(announce_id: number): Promise<void> {
  const send = () => callRoute(deleteAnnouncement, { params: { announce_id: String(announce_id) } })
  await withRefresh('announcement_changed', send, { isAwaited: true })
}
