import { useQuery } from '@tanstack/react-query'
import { useUser } from '../../../lib/user/user-query.ts'
import { packagesQuery, rootQuery } from '../../people/queries.ts'

/** The packages that the caller may give: all for the office, one's own for an agent. Undefined while it is unknown. */
export function usePackageChoices() {
  const { is_office } = useUser()
  const root = useQuery({ ...rootQuery, enabled: !is_office })
  const { data } = useQuery({
    ...packagesQuery(is_office ? null : (root.data ?? 0)),
    enabled: is_office || root.data !== undefined,
  })
  return data
}
