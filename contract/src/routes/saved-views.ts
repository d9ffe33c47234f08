// Saved views: filters, sort and columns of a console list, under a name.

import * as z from 'zod/mini'
import * as calls from '../calls/saved-views.ts'
import { defineRoute } from '../route.ts'
import { freeText, user } from '../wire.ts'

/** The list of the console that a view belongs to. */
const viewPage = z.string().check(z.regex(/^[a-z_-]{1,40}$/))
const viewName = freeText(1, 40).check(z.regex(/^\S(?:.*\S)?$/u))

const key = { page: viewPage, name: viewName }
const body = z.strictObject({
  ...key,
  /** The search parameters of the address. The page drops what it does not know. */
  search: z.string().check(z.maxLength(1_000), z.regex(/^[\w.~%*+&=-]*$/)),
})

export const savedView = z.strictObject({
  name: viewName,
  search: body.shape.search,
  is_shared: z.boolean(),
  /** Null for the caller's own views. */
  shared_by: z.nullable(user.shape.username),
})
export type SavedView = z.output<typeof savedView>

export const listViews = defineRoute({
  ...calls.listViews,
  access: 'console',
  summary:
    "The caller's views of a list, and those shared with it: by the office for the office, by an agent or its assistants for each other",
  query: z.strictObject({ page: viewPage }),
  reply: z.array(savedView),
})

export const saveView = defineRoute({
  ...calls.saveView,
  access: 'console',
  summary: "Saves a view for the caller alone, in place of the caller's view of the same name",
  body,
  reply: z.null(),
})

export const shareView = defineRoute({
  ...calls.shareView,
  access: 'console',
  summary: 'Saves a view and shares it',
  body,
  reply: z.null(),
})

export const dropView = defineRoute({
  ...calls.dropView,
  access: 'console',
  summary: "Drops one of the caller's views",
  body: z.strictObject(key),
  reply: z.null(),
})
