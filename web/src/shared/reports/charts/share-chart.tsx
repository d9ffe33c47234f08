import { formatBaht } from '../../../lib/format/money.ts'
import { Card, Text } from '../../../ui/layout.tsx'
import classes from './charts.module.css'

export interface Share {
  key: string
  label: string
  received_satang: number
}

interface ShareChartProps {
  title: string
  shares: readonly Share[]
}

/** How a sum divides: the largest part first, each with its figures beside its bar. */
export function ShareChart({ title, shares }: ShareChartProps) {
  const sorted = shares
    .filter(({ received_satang }) => received_satang > 0)
    .toSorted((a, b) => b.received_satang - a.received_satang)
  const sum = sorted.reduce((total, { received_satang }) => total + received_satang, 0)
  const largest = sorted[0]?.received_satang ?? 1
  if (sum === 0) return null
  return (
    <Card as="figure" pad={[14, 16]}>
      <Text as="figcaption" below={8} size="body" strong>
        {title}
      </Text>
      <table className={classes.shares}>
        <tbody>
          {sorted.map(({ key, label, received_satang }) => (
            <tr key={key}>
              <th scope="row">
                <span>{label}</span>
                <svg
                  className={classes.share}
                  viewBox="0 0 100 8"
                  preserveAspectRatio="none"
                  aria-hidden="true"
                  focusable="false"
                >
                  <rect width={(received_satang / largest) * 100} height="8" className={classes.accent} />
                </svg>
              </th>
              <td>{formatBaht(received_satang)}</td>
              <td className={classes.percent}>{percentOf(received_satang, sum)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Card>
  )
}

/** In whole percent; what is there but less than one says so. */
function percentOf(part: number, whole: number): string {
  const percent = Math.round((part * 100) / whole)
  return percent === 0 ? '< 1%' : `${percent}%`
}
