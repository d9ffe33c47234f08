import { IconX } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useTranslations } from 'use-intl'
import { Alert } from '../../../ui/alert.tsx'
import { useRootAttribute } from '../../../ui/root-attribute.ts'
import classes from './news-strip.module.css'

interface NewsStripProps {
  kind: 'good' | 'warn' | 'plain'
  title: string
  name: string
  /** Absent: it goes only when it is done. */
  onPutAside?: () => void
  children: ReactNode
}

/** One of the news on top of a page. Above the keypad of a phone the tabs make room for it (`main-menu.module.css`). */
export function NewsStrip({ kind, title, name, onPutAside, children }: NewsStripProps) {
  const t = useTranslations('news')
  useRootAttribute('news')
  return (
    <div className={classes.strip} data-testid={name} data-closable={onPutAside !== undefined || undefined}>
      <Alert kind={kind} title={title}>
        <div className={classes.text}>{children}</div>
      </Alert>
      {onPutAside !== undefined && (
        <button type="button" className={classes.close} aria-label={t('put_aside', { title })} onClick={onPutAside}>
          <IconX size={20} stroke={1.75} aria-hidden="true" />
        </button>
      )}
    </div>
  )
}
