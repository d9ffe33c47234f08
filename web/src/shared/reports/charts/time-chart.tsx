import { useTranslations } from 'use-intl'
import { formatSignedBaht } from '../../../lib/format/money.ts'
import { Card, Text } from '../../../ui/layout.tsx'
import classes from './charts.module.css'

export interface ChartPoint {
  /** A day or a month as it is written in the summary. */
  day: string
  label: string
  total_satang: number
}

const HEIGHT = 160
/** A bar is as wide as nine tenths of its place. */
const FILL = 0.9
const MIN_PLACES = 12

interface TimeChartProps {
  title: string
  /** The oldest first. */
  points: readonly ChartPoint[]
}

/** Wins above the line, losses below it; the figures behind it are a table, folded up. */
export function TimeChart({ title, points }: TimeChartProps) {
  const t = useTranslations('reports.charts')
  const values = points.map(({ total_satang }) => total_satang)
  const highest = Math.max(0, ...values)
  const lowest = Math.min(0, ...values)
  // All zero: one line in the middle.
  const reach = highest - lowest || 1
  const yOf = (satang: number): number => ((highest - satang) / reach) * HEIGHT
  const zero = yOf(0)
  // A few bars alone would be as wide as the chart.
  const places = Math.max(points.length, MIN_PLACES)
  const before = (places - points.length) / 2
  const first = points[0]
  const last = points.at(-1)
  if (first === undefined || last === undefined) return null
  return (
    <Card as="figure" pad={[14, 16]}>
      <Text as="figcaption" below={8} size="body" strong>
        {title}
      </Text>
      <div className={classes.plot}>
        <span className={classes.high}>{formatSignedBaht(highest)}</span>
        <span className={classes.low}>{formatSignedBaht(lowest)}</span>
        <svg
          className={classes.bars}
          viewBox={`0 -2 ${places} ${HEIGHT + 4}`}
          preserveAspectRatio="none"
          role="img"
          aria-label={t('time_alt', {
            from: first.label,
            to: last.label,
            highest: formatSignedBaht(highest),
            lowest: formatSignedBaht(lowest),
          })}
        >
          {points.map(({ day, total_satang }, index) => (
            <rect
              key={day}
              x={before + index + (1 - FILL) / 2}
              y={Math.min(zero, yOf(total_satang))}
              width={FILL}
              height={Math.max(total_satang === 0 ? 0 : 1, Math.abs(yOf(total_satang) - zero))}
              className={total_satang < 0 ? classes.loss : classes.win}
            />
          ))}
          <rect x={0} y={zero - 0.5} width={places} height={1} className={classes.zero} />
        </svg>
        <span className={classes.from}>{first.label}</span>
        <span className={classes.to}>{last.label}</span>
      </div>
      <details>
        <summary className={classes.summary}>{t('as_table')}</summary>
        <table className={classes.table}>
          <tbody>
            {points.map(({ day, label, total_satang }) => (
              <tr key={day}>
                <th scope="row">{label}</th>
                <td>{formatSignedBaht(total_satang)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </details>
    </Card>
  )
}
