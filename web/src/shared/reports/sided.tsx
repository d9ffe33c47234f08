import { useTranslations } from 'use-intl'
import { formatBaht } from '../../lib/format/money.ts'
import classes from './sided.module.css'

export type Tone = 'good' | 'warn' | 'bad'

/** The tone of an amount in the reader's favour if above 0. @param against the tone below 0 */
export function toneOf(satang: number, against: Tone): Tone | undefined {
  if (satang === 0) return undefined
  return satang > 0 ? 'good' : against
}

interface SidedProps {
  satang: number
  /** The words above and below 0. */
  words: readonly [up: string, down: string]
  tone: Tone | undefined
}

/** An amount without its sign: a word says which side it is on. */
function Sided({ satang, words: [up, down], tone }: SidedProps) {
  return (
    <span className={classes.sided} data-tone={tone}>
      {satang !== 0 && <span className={classes.word}>{satang > 0 ? up : down}</span>}{' '}
      <span>{formatBaht(Math.abs(satang))}</span>
    </span>
  )
}

export interface SideProps {
  satang: number
  /** Whose report it is, of somebody below the reader. Absent: the reader's own. */
  name?: string | undefined
}

/** What those below owe the level for the days. */
export function Due({ satang, name }: SideProps) {
  const t = useTranslations('reports.chair')
  const words = name === undefined ? ([t('owes_us'), t('we_owe')] as const) : ([t('owes'), t('is_owed')] as const)
  return <Sided satang={satang} words={words} tone={name === undefined ? toneOf(satang, 'warn') : undefined} />
}

/** The level's own part. */
export function OwnPart({ satang, name }: SideProps) {
  const t = useTranslations('reports.chair')
  const tone = name === undefined ? toneOf(satang, 'bad') : undefined
  return <Sided satang={satang} words={[t('profit_word'), t('loss_word')]} tone={tone} />
}

/** What the level passes up for the days. */
export function PassUp({ satang, name }: SideProps) {
  const t = useTranslations('reports.chair')
  const favour = name === undefined ? 0 - satang : satang
  return <Sided satang={satang} words={[t('up_word'), t('from_above_word')]} tone={toneOf(favour, 'warn')} />
}
