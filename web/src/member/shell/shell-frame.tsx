import type { ReactNode } from 'react'
import { useTranslations } from 'use-intl'
import classes from './main-layout.module.css'
import { MainMenu } from './main-menu.tsx'

interface ShellFrameProps {
  isAtMarket: boolean
  /** What stands in the side panel of a desktop. */
  panel: ReactNode
  topBar: ReactNode
  children: ReactNode
}

/** What stands around every page inside: the application renders it with data, the build without. */
export function ShellFrame({ isAtMarket, panel, topBar, children }: ShellFrameProps) {
  const t = useTranslations('shell')
  return (
    <div className={classes.frame}>
      <a href="#content" className={classes.skip}>
        {t('skip')}
      </a>
      <aside className={classes.side} aria-label={t('panel.label')}>
        {panel}
      </aside>
      {topBar}
      <main id="content" data-content="" className={classes.content} tabIndex={-1}>
        {children}
      </main>
      <MainMenu form="tabs" isAtMarket={isAtMarket} />
    </div>
  )
}
