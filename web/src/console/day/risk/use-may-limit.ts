import { useUser } from '../../../lib/user/user-query.ts'
import { permissionsOf } from '../../menu.ts'

/** Whether the user sets numbers and quotas. They are the house's: agents see their own part alone. */
export function useMayLimit(): boolean {
  const user = useUser()
  return user.is_office && permissionsOf(user).has('risk.do')
}
