/** The product's mark, as in favicon.svg: a file would be one more request before the page is there. */
export function Logo({ size, className }: { size: number; className?: string | undefined }) {
  return (
    <svg viewBox="0 0 32 32" width={size} height={size} aria-hidden="true" className={className}>
      <rect width="32" height="32" rx="7" fill="var(--brand)" />
      <path
        d="M7 23V10.5l6 7 6-7V23"
        fill="none"
        stroke="var(--on-accent)"
        strokeWidth="2.6"
        strokeLinecap="round"
        strokeLinejoin="round"
      />
      <circle cx="25" cy="22" r="2.2" fill="var(--brand-dot)" />
    </svg>
  )
}
