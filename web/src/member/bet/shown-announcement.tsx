import { useAnnouncement } from '../../lib/feedback/announce.ts'
import { Announcer } from '../../ui/announcer.tsx'

/** The page's message to screen readers. */
export function ShownAnnouncement() {
  const { text, turn } = useAnnouncement()
  return <Announcer text={text} turn={turn} />
}
