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
import type { Change } from '../../../lib/api/use-change.ts'

/** A maintenance; `product_code` null means the whole product. */
export interface MaintenanceEntry extends Maintenance {
  product_code: string | null
}

/** Maintenance at present, the whole product first. */
export const maintenanceQuery = queryOptions({
  queryKey: queryKeys.maintenance.all,
  queryFn: async ({ signal }): Promise<readonly MaintenanceEntry[]> => {
    const { maintenance, products } = (await callRoute(checkMaintenance, { signal })).data
    return [...(maintenance === null ? [] : [{ product_code: null, ...maintenance }]), ...products]
  },
  refetchInterval: 30_000,
})

export const saveMaintenance: Change<BodyOf<Rows['setMaintenance']>> = {
  changes: 'maintenance_changed',
  waits: true,
  send: (body) => callRoute(setMaintenance, { body }),
}

/** Every announcement, those that are not shown too, newest first. */
export const allAnnouncementsQuery = queryOptions({
  queryKey: queryKeys.announcements.ofOffice,
  queryFn: async ({ signal }) => (await callRoute(listAllAnnouncements, { signal })).data,
})

const ofAnnouncements = { changes: 'announcement_changed', waits: true } as const

/** Replaces an announcement, or makes one without an id. */
export const saveAnnouncement: Change<AnnouncementContent & { announce_id: number | null }> = {
  ...ofAnnouncements,
  send: async ({ announce_id, ...content }) => {
    await (announce_id === null
      ? callRoute(createAnnouncement, { body: content })
      : callRoute(updateAnnouncement, { body: { announce_id, ...content } }))
  },
}

export const showAnnouncement: Change<{ announce_id: number; is_enabled: boolean }> = {
  ...ofAnnouncements,
  send: (body) => callRoute(enableAnnouncement, { body }),
}

export const removeAnnouncement: Change<number> = {
  ...ofAnnouncements,
  send: (announce_id) => callRoute(deleteAnnouncement, { params: { announce_id: String(announce_id) } }),
}
