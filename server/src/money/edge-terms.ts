// When an edge is due.

import * as contract from '@megalot/contract'
import * as z from 'zod/mini'
import { defineChange } from '../changes/index.ts'
import { getAccessibleUser } from '../identity/accounts/index.ts'
import { Refusal } from '../lib/refusal.ts'
import { findOwnerId, listEdgeStates, lockOfEdge } from './edges.store.ts'

/**
 * Sets the settle figure of a direct child, and when it is due.
 * @throws Refusal not_found, not_allowed (no child of the caller), bad_input (due at a figure without one)
 */
export const setEdgeTerms = defineChange({
  name: 'set_edge_terms',
  needs: 'money.do',
  input: z.omit(z.extend(contract.setEdgeTerms.body, { user_id: z.int() }), { reason: true }),
  async find(db, { user_id }, caller) {
    const { parent_id, is_office } = await getAccessibleUser(db, caller, user_id)
    if (is_office || parent_id === null || parent_id !== (await findOwnerId(db, caller)))
      throw new Refusal('not_allowed')
  },
  locks: ({ user_id }) => [lockOfEdge(user_id)],
  load: async ({ tx }, { user_id }) => (await listEdgeStates(tx, [user_id])).get(user_id)!,
  decide(edge, input) {
    const { user_id, settle_figure_satang, clearing } = input
    if (clearing === 'at_figure' && settle_figure_satang === null)
      throw new Refusal('bad_input', { fields: ['settle_figure_satang'] })
    const before = { settle_figure_satang: edge.settle_figure_satang, clearing: edge.clearing }
    return { plan: input, rows: [{ subject: `user:${user_id}`, before, after: { settle_figure_satang, clearing } }] }
  },
  async write({ tx }, { user_id, settle_figure_satang, clearing }) {
    await tx.updateTable('edges').set({ settle_figure_satang, clearing }).where('child_id', '=', user_id).execute()
  },
})
