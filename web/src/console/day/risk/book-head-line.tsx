import { useEffect, useState } from 'react'
import { useTranslations } from 'use-intl'
import { formatBaht, formatCount } from '../../../lib/format/money.ts'
import { Fact, Facts } from '../../../ui/layout.tsx'
import type { BookHead } from './board-store.ts'
import classes from './risk.module.css'

/** From here on the book counts as late: somebody who decides by it should know. */
const LATE_S = 5

/** The sums of a period, and how old the book is. */
export function BookHeadLine({ head }: { head: BookHead | null }) {
  const t = useTranslations('risk')
  const age_s = useAge(head)
  const facts = (
    [
      ['received', head?.received_satang],
      ['discount', head?.discount_satang],
      ['own_received', head?.own_received_satang],
      ['own_discount', head?.own_discount_satang],
    ] as const
  ).map(([name, satang]) => ({ name, text: satang === undefined ? '–' : formatBaht(satang) }))
  return (
    <div className={classes.head}>
      <Facts>
        {facts.map(({ name, text }) => (
          <Fact key={name} label={t(`head.${name}`)} data-testid={`head-${name}`}>
            {text}
          </Fact>
        ))}
        <Fact label={t('head.lines')} data-testid="head-lines">
          {head === null ? '–' : formatCount(head.line_count)}
        </Fact>
        <Fact
          label={t('head.age')}
          data-late={(age_s !== null && age_s >= LATE_S) || undefined}
          className={classes.age}
        >
          {age_s === null ? '–' : t('seconds', { count: age_s })}
        </Fact>
        <Fact label={t('head.seal')} data-seal={head?.seal}>
          {head === null ? '–' : t(`seal.${head.seal}`)}
        </Fact>
      </Facts>
    </div>
  )
}

/** Age of the figures in whole seconds: the server's age plus the time since its reply. */
function useAge(head: BookHead | null): number | null {
  const [now_ms, setNow] = useState(() => performance.now())
  useEffect(() => {
    const timer = setInterval(() => setNow(performance.now()), 1_000)
    return () => clearInterval(timer)
  }, [])
  if (head === null) return null
  return Math.floor((head.age_ms + Math.max(0, now_ms - head.arrived_ms)) / 1_000)
}
