// Renders the frames of the built pages: what a page shows before anything is known of the device, the member and the
// market. The build runs it (`web/page-builds.ts`) and writes the result into the HTML.

import { RouterContextProvider, createMemoryHistory, createRootRoute, createRouter } from '@tanstack/react-router'
import type { Language, WebPage } from '@megalot/contract'
import { fileOfWebPage, pageLanguages, webPages } from '@megalot/contract/browser'
import type { ReactNode } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { IntlProvider, useTranslations } from 'use-intl'
import { LoginView } from '../auth/login-page.tsx'
import { BetFrame } from '../bet/bet-frame.tsx'
import { PHONE_MEDIA } from '../bet/entry-style-choice.ts'
import { ShellFrame } from '../shell/shell-frame.tsx'
import { TopBarView } from '../shell/top-bar-view.tsx'

const catalogues = import.meta.glob<object>('../../**/{common,auth,shell,bet,entry}.{th,en}.ts', {
  eager: true,
  import: 'messages',
})

function messagesOf(language: Language): AppMessages {
  const own = Object.entries(catalogues).flatMap(([path, messages]) => {
    const [, area, folder] = /\/([\w-]+)\.(th|en)\.ts$/.exec(path) ?? []
    return folder === language && area !== undefined ? [[area, messages]] : []
  })
  return Object.fromEntries(own) as AppMessages
}

/** An address of each page: links mark where one is. */
const addresses: Record<WebPage, string> = { index: '/auth/login', inside: '/account/password', bet: '/bet/x' }

const frames: Record<WebPage, () => ReactNode> = {
  index: () => <LoginView />,
  inside: () => (
    <MemberFrame title="" isAtMarket={false}>
      {null}
    </MemberFrame>
  ),
  bet: () => <BetPageFrame />,
}

function BetPageFrame() {
  const t = useTranslations('bet')
  return (
    <MemberFrame title={t('title')} isAtMarket>
      <BetFrame />
    </MemberFrame>
  )
}

interface MemberFrameProps {
  title: string
  isAtMarket: boolean
  children: ReactNode
}

function MemberFrame({ title, isAtMarket, children }: MemberFrameProps) {
  const topBar = <TopBarView title={title} unread={0} credit_remain_satang={null} isAtMarket={isAtMarket} />
  return (
    <ShellFrame isAtMarket={isAtMarket} panel={null} topBar={topBar}>
      {children}
    </ShellFrame>
  )
}

/** Ids, names and test ids belong to the page that the application renders; there must be no second of any. */
function removeIds(markup: string): string {
  return markup.replaceAll(/ (?:id|for|name|data-testid|aria-label|aria-describedby|aria-labelledby)="[^"]*"/g, '')
}

/** The markup of a page's frame in a language. */
export async function renderFrame(page: WebPage, language: Language): Promise<string> {
  const history = createMemoryHistory({ initialEntries: [addresses[page]] })
  const router = createRouter({ routeTree: createRootRoute(), history })
  await router.load()
  const Frame = frames[page]
  const markup = renderToStaticMarkup(
    <IntlProvider locale={language} messages={messagesOf(language)} timeZone="Asia/Bangkok">
      <RouterContextProvider router={router as never}>
        <Frame />
      </RouterContextProvider>
    </IntlProvider>,
  )
  return removeIds(markup)
}

export interface RenderedPages {
  pages: readonly { file: string; page: WebPage; language: Language; frame: string }[]
  /** The screens on which the keypad is the usual style of entry. */
  phoneMedia: string
}

/** The frames of all pages in all languages. */
export async function renderPages(): Promise<RenderedPages> {
  const pagesToRender = webPages.flatMap((page) => pageLanguages.map((language) => ({ page, language })))
  const pages = pagesToRender.map(async ({ page, language }) => {
    const frame = await renderFrame(page, language)
    return { file: fileOfWebPage(page, language), page, language, frame }
  })
  return { pages: await Promise.all(pages), phoneMedia: PHONE_MEDIA }
}
