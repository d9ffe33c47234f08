import { encode } from 'uqr'

interface QrCodeProps {
  text: string
  /** Accessible name. */
  label: string
  className?: string | undefined
}

/** A text as a QR code, black on white in both schemes, with the quiet edge that readers need. */
export function QrCode({ text, label, className }: QrCodeProps) {
  const { data, size } = encode(text, { ecc: 'M', border: 4 })
  const path = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : []))).join('')
  return (
    <svg
      viewBox={`0 0 ${size} ${size}`}
      role="img"
      aria-label={label}
      className={className}
      shapeRendering="crispEdges"
    >
      <rect width={size} height={size} fill="var(--paper)" />
      <path d={path} fill="var(--paper-ink)" />
    </svg>
  )
}
