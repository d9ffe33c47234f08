import { placingSteps } from '@megalot/contract/browser'
import IconCheck from '~icons/check'
import IconPointFilled from '~icons/point-filled'
import IconQuestionMark from '~icons/question-mark'
import IconX from '~icons/x'
import { useTranslations } from 'use-intl'
import classes from './step-list.module.css'
import type { StepStatuses } from './step-statuses.ts'

/** The three steps with their marks. They change faster than they could be read out: the dialog says where they end. */
export function StepList({ marks, isInOneLine = false }: { marks: StepStatuses; isInOneLine?: boolean }) {
  const t = useTranslations('bet.submission')
  return (
    <ol className={classes.steps} data-in-one-line={isInOneLine || undefined} data-testid="placing-steps">
      {placingSteps.map((step, index) => {
        const mark = marks[index] ?? 'waiting'
        return (
          <li
            key={step}
            className={classes.step}
            data-step={step}
            data-mark={mark}
            aria-current={mark === 'busy' ? 'step' : undefined}
          >
            <span className={classes.mark} aria-hidden="true">
              {mark === 'done' && <IconCheck size={18} stroke={2.5} />}
              {mark === 'failed' && <IconX size={18} stroke={2.5} />}
              {mark === 'busy' && <span className={classes.wheel} />}
              {mark === 'unknown' && <IconQuestionMark size={18} stroke={2} />}
              {(mark === 'waiting' || mark === 'skipped') && <IconPointFilled size={14} />}
            </span>
            <span>{t(`step.${step}`)}</span>
            <span className={classes.word}>{t(`mark.${mark}`)}</span>
          </li>
        )
      })}
    </ol>
  )
}

/** The same in one sentence, for those who do not see it. */
export function useStepSentence(): (marks: StepStatuses) => string {
  const t = useTranslations('bet.submission')
  return (marks) => placingSteps.map((step, index) => `${t(`step.${step}`)}: ${t(`mark.${marks[index]!}`)}`).join(', ')
}
