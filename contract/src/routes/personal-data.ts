// What the house keeps about a person, as a file for that person.

import * as z from 'zod/mini'
import * as calls from '../calls/personal-data.ts'
import { defineRoute } from '../route.ts'
import { pathId, reason } from '../wire.ts'

export const exportOwnData = defineRoute({
  ...calls.exportOwnData,
  price: 'export',
  access: 'signed_in',
  step_up: true,
  is_file: true,
  summary: 'Everything that is stored about the caller, as one JSON file, not the envelope',
  reply: z.null(),
})

export const exportPersonData = defineRoute({
  ...calls.exportPersonData,
  price: 'export',
  access: 'office',
  needs: 'people.do',
  step_up: true,
  is_file: true,
  summary: 'Everything that is stored about a member or an agent, as one JSON file, to be handed to that person',
  params: z.strictObject({ user_id: pathId }),
  body: z.strictObject({ reason }),
  reply: z.null(),
})
