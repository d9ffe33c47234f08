import { useAnnouncement } from '../lib/feedback/announce.ts'

/** Reads out what `announce` is told. It must stand on the page before the first word, or readers miss it. */
export function Announcer() {
  const { text, turn } = useAnnouncement()
  return (
    <div className="visually-hidden" aria-live="polite" aria-atomic="true" data-testid="announcer">
      {/* A new element each time: the same sentence is news again. */}
      <span key={turn}>{text}</span>
    </div>
  )
}
