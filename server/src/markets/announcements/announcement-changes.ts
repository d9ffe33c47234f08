// How the company publishes, hides, rewrites and removes its announcements.

import * as contract from '@megalot/contract'
import type { AnnouncementContent } from '@megalot/contract'
import * as z from 'zod/mini'
import { defineChange, type Lock } from '../../changes/index.ts'
import type { Tx } from '../../postgres/db.ts'
import { Refusal } from '../../lib/refusal.ts'
import {
  deleteReads,
  findContent,
  insertAnnouncement,
  lockAnnouncement,
  removeAnnouncement,
  saveContent,
  saveIsEnabled,
} from './announcements.store.ts'

interface Named {
  announce_id: number
}

const subjectOf = ({ announce_id }: Named) => `announcement:${announce_id}`

const lockOf = (named: Named): readonly Lock[] => [
  { rank: 'settings', key: subjectOf(named), take: (tx) => lockAnnouncement(tx, named.announce_id) },
]

/** @throws Refusal not_found */
async function loadContent({ tx }: { tx: Tx }, { announce_id }: Named): Promise<AnnouncementContent> {
  const content = await findContent(tx, announce_id)
  if (!content) throw new Refusal('not_found')
  return content
}

/** Publishes an announcement. Its outcome is the id, like the others'. */
export const createAnnouncement = defineChange({
  name: 'create_announcement',
  needs: 'messages.do',
  input: contract.createAnnouncement.body,
  locks: () => [],
  load: async () => null,
  decide: (_state, content) => ({ plan: content }),
  async write({ tx }, content) {
    const announce_id = await insertAnnouncement(tx, content)
    return { outcome: announce_id, rows: [{ subject: subjectOf({ announce_id }), after: content }] }
  },
})

/** Shows or hides an announcement. @throws Refusal not_found */
export const enableAnnouncement = defineChange({
  name: 'enable_announcement',
  needs: 'messages.do',
  input: contract.enableAnnouncement.body,
  locks: (named) => lockOf(named),
  load: (at, named) => loadContent(at, named),
  decide: (before, input) => ({
    plan: input,
    rows: [
      {
        subject: subjectOf(input),
        before: { is_enabled: before.is_enabled },
        after: { is_enabled: input.is_enabled },
      },
    ],
  }),
  async write({ tx }, { announce_id, is_enabled }) {
    await saveIsEnabled(tx, announce_id, is_enabled)
    return { outcome: announce_id }
  },
})

/**
 * Replaces an announcement's content, which makes it unread for all users.
 * @throws Refusal not_found
 */
export const updateAnnouncement = defineChange({
  name: 'update_announcement',
  needs: 'messages.do',
  input: contract.updateAnnouncement.body,
  locks: (named) => lockOf(named),
  load: (at, named) => loadContent(at, named),
  decide: (before, { announce_id, ...content }) => ({
    plan: { announce_id, content },
    rows: [{ subject: subjectOf({ announce_id }), before, after: content }],
  }),
  async write({ tx }, { announce_id, content }) {
    await saveContent(tx, announce_id, content)
    await deleteReads(tx, announce_id)
    return { outcome: announce_id }
  },
})

/** @throws Refusal not_found */
export const deleteAnnouncement = defineChange({
  name: 'delete_announcement',
  needs: 'messages.do',
  input: z.strictObject({ announce_id: z.int() }),
  locks: (named) => lockOf(named),
  load: (at, named) => loadContent(at, named),
  decide: (before, named) => ({ plan: named.announce_id, rows: [{ subject: subjectOf(named), before }] }),
  write: ({ tx }, announce_id) => removeAnnouncement(tx, announce_id),
})
