import type { ReactNode } from 'react'
import classes from './flag.module.css'

// Flags drawn with a few shapes each on a 30 × 20 sheet: flag letters need a font that most devices lack.

function Bands({ colours, weights }: { colours: readonly string[]; weights?: readonly number[] }) {
  const parts = weights ?? colours.map(() => 1)
  const sumTo = (end: number): number => parts.slice(0, end).reduce((sum, part) => sum + part, 0)
  const unit = 20 / sumTo(parts.length)
  return colours.map((colour, index) => (
    <rect
      key={`${index} ${colour}`}
      y={sumTo(index) * unit}
      width="30"
      height={(parts[index] ?? 1) * unit}
      fill={colour}
    />
  ))
}

function Star({ x, y, r, fill }: { x: number; y: number; r: number; fill: string }) {
  const points = Array.from({ length: 10 }, (_, index) => {
    const angle = (Math.PI / 5) * index - Math.PI / 2
    const radius = index % 2 === 0 ? r : r * 0.4
    return `${(x + radius * Math.cos(angle)).toFixed(2)},${(y + radius * Math.sin(angle)).toFixed(2)}`
  })
  return <polygon points={points.join(' ')} fill={fill} />
}

const drawings: Readonly<Record<string, () => ReactNode>> = {
  th: () => <Bands colours={['#a51931', '#fff', '#2d2a4a', '#fff', '#a51931']} weights={[1, 1, 2, 1, 1]} />,
  la: () => (
    <>
      <Bands colours={['#ce1126', '#002868', '#ce1126']} weights={[1, 2, 1]} />
      <circle cx="15" cy="10" r="4" fill="#fff" />
    </>
  ),
  vn: () => (
    <>
      <rect width="30" height="20" fill="#da251d" />
      <Star x={15} y={10} r={6} fill="#ff0" />
    </>
  ),
  my: () => (
    <>
      <Bands colours={['#cc0001', '#fff', '#cc0001', '#fff', '#cc0001', '#fff', '#cc0001', '#fff']} />
      <rect width="16" height="10" fill="#010066" />
      <circle cx="6.5" cy="5" r="3.4" fill="#fc0" />
      <circle cx="7.7" cy="5" r="2.9" fill="#010066" />
      <Star x={11.5} y={5} r={2.6} fill="#fc0" />
    </>
  ),
  jp: () => (
    <>
      <rect width="30" height="20" fill="#fff" />
      <circle cx="15" cy="10" r="5.6" fill="#bc002d" />
    </>
  ),
  cn: () => (
    <>
      <rect width="30" height="20" fill="#de2910" />
      <Star x={6} y={6} r={3.4} fill="#ffde00" />
      <Star x={11.5} y={2.6} r={1.3} fill="#ffde00" />
      <Star x={13} y={5.4} r={1.3} fill="#ffde00" />
      <Star x={13} y={8.6} r={1.3} fill="#ffde00" />
      <Star x={11.5} y={11} r={1.3} fill="#ffde00" />
    </>
  ),
  hk: () => (
    <>
      <rect width="30" height="20" fill="#de2910" />
      {[0, 72, 144, 216, 288].map((turn) => (
        <ellipse key={turn} cx="15" cy="6.6" rx="1.7" ry="3" fill="#fff" transform={`rotate(${turn} 15 10)`} />
      ))}
    </>
  ),
  tw: () => (
    <>
      <rect width="30" height="20" fill="#fe0000" />
      <rect width="15" height="10" fill="#000095" />
      <circle cx="7.5" cy="5" r="2.6" fill="#fff" />
    </>
  ),
  kr: () => (
    <>
      <rect width="30" height="20" fill="#fff" />
      <path d="M10.2 7.5a5 5 0 0 1 9.6 5" fill="#cd2e3a" />
      <path d="M19.8 12.5a5 5 0 0 1-9.6-5q2 3.4 4.8 2.5t4.8 2.5" fill="#0047a0" />
      <path d="M4 5l2.4-2.4M23.6 17.4 26 15M4 15l2.4 2.4M23.6 2.6 26 5" stroke="#000" strokeWidth="1.6" />
    </>
  ),
  sg: () => (
    <>
      <Bands colours={['#ed2939', '#fff']} />
      <circle cx="6.5" cy="5" r="3.4" fill="#fff" />
      <circle cx="8" cy="5" r="3.2" fill="#ed2939" />
      <circle cx="10.5" cy="5" r="1.6" fill="#fff" />
    </>
  ),
  in: () => (
    <>
      <Bands colours={['#f93', '#fff', '#128807']} />
      <circle cx="15" cy="10" r="2.5" fill="none" stroke="#008" strokeWidth="0.9" />
    </>
  ),
  eg: () => (
    <>
      <Bands colours={['#ce1126', '#fff', '#000']} />
      <rect x="13.4" y="8" width="3.2" height="4" fill="#c09300" />
    </>
  ),
  gb: () => (
    <>
      <rect width="30" height="20" fill="#012169" />
      <path d="M0 0l30 20M30 0 0 20" stroke="#fff" strokeWidth="4" />
      <path d="M0 0l30 20M30 0 0 20" stroke="#c8102e" strokeWidth="1.6" />
      <path d="M15 0v20M0 10h30" stroke="#fff" strokeWidth="6.6" />
      <path d="M15 0v20M0 10h30" stroke="#c8102e" strokeWidth="4" />
    </>
  ),
  de: () => <Bands colours={['#000', '#d00', '#ffce00']} />,
  ru: () => <Bands colours={['#fff', '#0039a6', '#d52b1e']} />,
  us: () => (
    <>
      <Bands colours={['#b22234', '#fff', '#b22234', '#fff', '#b22234', '#fff', '#b22234']} />
      <rect width="13" height="11.4" fill="#3c3b6e" />
      {[2.4, 6.5, 10.6].flatMap((x) =>
        [2.4, 5.7, 9].map((y) => <circle key={`${x} ${y}`} cx={x} cy={y} r="0.9" fill="#fff" />),
      )}
    </>
  ),
}

interface FlagProps {
  country_code: string
  width?: number
}

/** Decoration beside a name, so readers skip it. A country without a drawing gets a plain sheet. */
export function Flag({ country_code, width = 33 }: FlagProps) {
  const draw = drawings[country_code]
  return (
    <svg className={classes.flag} viewBox="0 0 30 20" width={width} height={(width * 2) / 3} aria-hidden="true">
      {draw === undefined ? <rect width="30" height="20" fill="#8894a0" /> : draw()}
    </svg>
  )
}
