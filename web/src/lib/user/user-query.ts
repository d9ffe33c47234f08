import type { User } from '@megalot/contract'
import { getBasicUser } from '@megalot/contract/browser'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { callRoute } from '../api/http-client.ts'
import { queryKeys } from '../api/query-keys.ts'
import { keepUser, useSession } from '../session/session-store.ts'

/** Also how soon the server learns that a person is active who makes no call, as while typing a slip. */
const REFETCH_MS = 30_000

const userQuery = queryOptions({
  queryKey: queryKeys.user.all,
  queryFn: async ({ signal }) => {
    const { session_token } = useSession.getState()
    const { data } = await callRoute(getBasicUser, { signal })
    // Another tab may have logged in: whose session this is now, only the server can say.
    if (useSession.getState().session_token === session_token) keepUser(data)
    return data
  },
  refetchInterval: REFETCH_MS,
})

/** The signed-in user with credit and status as the server last said, asked again every 30 s while visible. */
export function useUser(): User {
  const restored = useSession((session) => session.user)
  const { data } = useQuery({ ...userQuery, ...(restored === null ? {} : { initialData: restored }) })
  const user = data ?? restored
  if (user === null || user === undefined) throw new Error('the main area is open without a user')
  return user
}
