import type { LinkProps } from '@tanstack/react-router'

/** One thing that a member should know. */
export interface NewsItem {
  name: 'pending' | 'waiting' | 'closing' | 'deleted' | 'period' | 'settled' | 'announcement'
  /** Unique among all items. */
  key: string
  kind: 'good' | 'warn' | 'plain'
  text: string
  /** The moment until which the member can act, in ms since 1970. */
  until_ms: number | null
  link: LinkProps
  /** How much of it is unread. */
  unread: number
  /** Whether the line above the page may show it. */
  isShown: boolean
  putAside: () => void
}
