export const listAnnouncements = {
  name: 'listAnnouncements',
  method: 'GET',
  path: '/api/admin/announcement/list',
} as const
export const listAllAnnouncements = {
  name: 'listAllAnnouncements',
  method: 'GET',
  path: '/api/admin/announcement/list/all',
} as const
export const getAnnouncement = {
  name: 'getAnnouncement',
  method: 'GET',
  path: '/api/admin/announcement/:announce_id',
} as const
export const readAnnouncement = {
  name: 'readAnnouncement',
  method: 'POST',
  path: '/api/admin/announcement/:announce_id/read',
} as const
export const createAnnouncement = {
  name: 'createAnnouncement',
  method: 'POST',
  path: '/api/admin/announcement/create',
} as const
export const enableAnnouncement = {
  name: 'enableAnnouncement',
  method: 'POST',
  path: '/api/admin/announcement/enabled',
} as const
export const updateAnnouncement = {
  name: 'updateAnnouncement',
  method: 'POST',
  path: '/api/admin/announcement/update',
} as const
export const deleteAnnouncement = {
  name: 'deleteAnnouncement',
  method: 'DELETE',
  path: '/api/admin/announcement/delete/:announce_id',
} as const
