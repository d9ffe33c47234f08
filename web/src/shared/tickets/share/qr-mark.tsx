import { qrSquares } from './qr.ts'

interface QrMarkProps {
  text: string
  label: string
}

/** A QR code, dark on light whatever the theme: readers want it so. */
export function QrMark({ text, label }: QrMarkProps) {
  const squares = qrSquares(text)
  const size = squares.length
  const path = squares
    .flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : '')))
    .filter((part) => part !== '')
    .join('')
  return (
    <svg viewBox={`0 0 ${size} ${size}`} role="img" aria-label={label} shapeRendering="crispEdges">
      <rect width={size} height={size} fill="var(--paper)" />
      <path d={path} fill="var(--paper-ink)" />
    </svg>
  )
}
