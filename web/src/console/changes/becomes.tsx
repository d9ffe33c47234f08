import IconArrowRight from '~icons/arrow-right'
import { useTranslations } from 'use-intl'
import classes from './changes.module.css'

/** Between a value before and the one after: a sign, for readers a word. The web font has no arrow. */
export function Becomes() {
  const t = useTranslations('console')
  return (
    <span>
      <IconArrowRight size={16} stroke={2} className={classes.arrow} aria-hidden="true" />
      <span className="visually-hidden">{` ${t('becomes')} `}</span>
    </span>
  )
}
