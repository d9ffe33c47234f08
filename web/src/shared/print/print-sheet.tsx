import { Button } from '../../ui/button.tsx'
import IconArrowLeft from '~icons/arrow-left'
import IconPrinter from '~icons/printer'
import { useCanGoBack, useRouter } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import type { ReactNode } from 'react'
import { useLocale, useTranslations } from 'use-intl'
import { formatInstant } from '../../lib/format/dates.ts'
import { useNamedPage } from '../../lib/page/page-title-store.ts'
import { serverNowMs } from '../../lib/clock/server-clock.ts'
import { useSession } from '../../lib/session/session-store.ts'
import classes from './print-sheet.module.css'

interface PrintSheetProps {
  title: string
  /** Where its page is, for whom has come here by the address. */
  backTo: string
  /** Everything that is to be printed is there. */
  isReady: boolean
  children: ReactNode
}

/** One thing on paper. The browser's own dialog opens once all of it is there. */
export function PrintSheet({ title, backTo, isReady, children }: PrintSheetProps) {
  const t = useTranslations('print')
  const language = useLocale()
  const router = useRouter()
  const canGoBack = useCanGoBack()
  const username = useSession(({ user }) => user?.username ?? '')
  const wasAsked = useRef(false)
  useNamedPage(title)
  useEffect(() => {
    if (!isReady || wasAsked.current) return undefined
    const timer = setTimeout(() => {
      wasAsked.current = true
      window.print()
    }, 300)
    return () => clearTimeout(timer)
  }, [isReady])
  return (
    <>
      <div className={classes.tools}>
        <Button
          variant="default"
          icon={<IconArrowLeft size={20} stroke={1.75} />}
          onClick={() => (canGoBack ? router.history.back() : void router.navigate({ href: backTo }))}
        >
          {t('back')}
        </Button>
        <Button icon={<IconPrinter size={20} stroke={1.75} />} disabled={!isReady} onClick={() => window.print()}>
          {t('print')}
        </Button>
      </div>
      <header className={classes.head}>
        <h1 className={classes.title}>{title}</h1>
        <p className={classes.facts}>
          megalot · {username} · {t('at', { time: formatInstant(serverNowMs(), language, 'dayAndTime') })}
        </p>
      </header>
      {children}
    </>
  )
}
