import type { ReactNode } from 'react'
import { useTranslations } from 'use-intl'
import classes from './main-layout.module.css'
import { MainMenu } from './main-menu.tsx'

interface ShellFrameProps {
  isAtMarket: boolean
  /** Content of the desktop's side panel. */
  panel: ReactNode
  topBar: ReactNode
  children: ReactNode
}

/** The shell around every page. The application renders it with data, the build without. */
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
