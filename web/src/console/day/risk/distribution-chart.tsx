import { useEffect, useRef } from 'react'
import uPlot from 'uplot'
import 'uplot/dist/uPlot.min.css'
import { formatWholeBaht } from '../../../lib/format/money.ts'
import type { Colour } from '../../../ui/tokens.ts'
import { barsOfHistogram } from './histogram-bars.ts'
import type { Histogram } from './histogram-bars.ts'
import classes from './risk.module.css'

const HEIGHT_PX = 240

export interface DistributionChartProps {
  histogram: Histogram
  net_satang: number
  percentile_99_satang: number
  /** Accessible name. The figures are also given as text beside the chart. */
  label: string
}

/** How likely each loss or profit is; the bars of losses have another colour. */
export function DistributionChart({ histogram, net_satang, percentile_99_satang, label }: DistributionChartProps) {
  const box = useRef<HTMLDivElement>(null)
  const chart = useRef<uPlot>(null)
  const mark = useRef(percentile_99_satang)
  useEffect(() => {
    const element = box.current
    if (element === null) return undefined
    const made = new uPlot(optionsOf(element, mark), [[], [], []], element)
    chart.current = made
    const observer = new ResizeObserver(() => made.setSize({ width: element.clientWidth, height: HEIGHT_PX }))
    observer.observe(element)
    return () => {
      observer.disconnect()
      made.destroy()
      chart.current = null
    }
  }, [])
  useEffect(() => {
    mark.current = percentile_99_satang
    const { results, losses, profits } = barsOfHistogram(histogram, net_satang)
    chart.current?.setData([results, losses, profits])
  }, [histogram, net_satang, percentile_99_satang])
  return (
    <figure className={classes.figure} aria-label={label}>
      <div ref={box} className={classes.chart} aria-hidden="true" />
    </figure>
  )
}

/** Canvases take no custom properties: the colours are those in force when the chart is made. */
function colourOf(element: Element, name: Colour): string {
  return getComputedStyle(element).getPropertyValue(`--${name}`)
}

function optionsOf(element: HTMLElement, mark: { current: number }): uPlot.Options {
  const [ink, line, bad, good, warn] = (['ink-dim', 'line', 'bad-ink', 'good-ink', 'warn-ink'] as const).map((name) =>
    colourOf(element, name),
  )
  const bars = uPlot.paths.bars!({ size: [0.9, 60] })
  const seriesOf = (stroke: string): uPlot.Series => ({ stroke, fill: stroke, paths: bars, points: { show: false } })
  return {
    width: element.clientWidth,
    height: HEIGHT_PX,
    legend: { show: false },
    cursor: { show: false },
    scales: { x: { time: false } },
    axes: [
      {
        stroke: ink!,
        grid: { stroke: line!, width: 1 },
        space: 90,
        values: (_chart, splits) => splits.map((satang) => formatWholeBaht(Math.round(satang / 100) * 100)),
      },
      {
        stroke: ink!,
        grid: { stroke: line!, width: 1 },
        values: (_chart, splits) => splits.map((chance) => `${Number(chance.toFixed(2))}%`),
      },
    ],
    series: [{}, seriesOf(bad!), seriesOf(good!)],
    hooks: {
      draw: [
        (chart) => {
          const x = chart.valToPos(mark.current, 'x', true)
          const { top, height } = chart.bbox
          chart.ctx.save()
          chart.ctx.strokeStyle = warn!
          chart.ctx.setLineDash([6, 4])
          chart.ctx.beginPath()
          chart.ctx.moveTo(x, top)
          chart.ctx.lineTo(x, top + height)
          chart.ctx.stroke()
          chart.ctx.restore()
        },
      ],
    },
  }
}
