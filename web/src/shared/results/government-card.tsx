import type { Award } from '@megalot/contract'
import { useLocale, useTranslations } from 'use-intl'
import { formatDay } from '../../lib/format/dates.ts'
import { Text } from '../../ui/layout.tsx'
import classes from './government-card.module.css'
import { OwnWins } from './own-wins.tsx'
import type { OwnWin } from './queries.ts'
import { CorrectedFrom, DemoResult } from './result-text.tsx'

/** One draw of the Thai government lottery, laid out as newspapers print it. */
export function GovernmentCard({ award, wins }: { award: Award; wins: readonly OwnWin[] }) {
  const { period, result } = award
  const t = useTranslations('awards')
  const language = useLocale()
  const groups = [
    ['front3', result.front3 ?? []],
    ['back3', result.back3 ?? []],
    ['last2', [result.bottom2]],
  ] as const
  return (
    <article className={classes.card}>
      <header className={classes.head}>
        <p>{t('drawn_on')}</p>
        <p className={classes.day}>{formatDay(period.period_date, language, 'longDay')}</p>
        <DemoResult award={award} />
        <CorrectedFrom award={award} />
      </header>
      <div className={classes.first}>
        <Text as="h3" size="compact" tone="dim" strong={false}>
          {t('first_prize')}
        </Text>
        <p className={classes.big}>{result.first_prize ?? result.top3}</p>
      </div>
      <div className={classes.groups}>
        {groups
          .filter(([, numbers]) => numbers.length > 0)
          .map(([name, numbers]) => (
            <div key={name} className={classes.group}>
              <Text as="h3" size="compact" tone="dim" strong={false}>
                {t(name)}
              </Text>
              <p className={classes.numbers}>
                {numbers.map((number, index) => (
                  <span key={`${index} ${number}`}>{number}</span>
                ))}
              </p>
            </div>
          ))}
      </div>
      <OwnWins wins={wins} />
    </article>
  )
}
