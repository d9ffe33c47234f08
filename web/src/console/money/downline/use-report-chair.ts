import { useUser } from '../../../lib/user/user-query.ts'
import { usersOf } from './downline-search.ts'
import type { DownlineSearch } from './downline-search.ts'

/** Whose report it is, for the words of its columns. */
export interface ReportChair {
  /** Somebody below the reader. Absent: the reader's own. */
  name?: string | undefined
  /** The company, which passes nothing up. */
  isTop: boolean
}

/** The user whose report an address names. */
export function useReportChair(search: DownlineSearch): ReportChair {
  const { level } = useUser()
  const name = usersOf(search).at(-1)?.username ?? search.username
  return { name, isTop: name === undefined && level === 'company' }
}
