interface AnnouncerProps {
  text: string
  /** Counts up with each text, also with the same one again. */
  turn: number
}

/** Reads a text out to screen readers. It must be on the page before the first text, or readers miss it. */
export function Announcer({ text, turn }: AnnouncerProps) {
  return (
    <div className="visually-hidden" aria-live="polite" aria-atomic="true" data-testid="announcer">
      {/* A new element each time: the same sentence is news again. */}
      <span key={turn}>{text}</span>
    </div>
  )
}
