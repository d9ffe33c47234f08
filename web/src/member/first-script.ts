// Runs inline in the head of each built page, before anything is painted. The build bundles it (`web/page-builds.ts`), and
// the server allows it by its hash. It applies the stored theme, decides whether the prerendered frame may be shown, starts
// the requests of the first page, and fetches and imports the application.

import type { Language } from '@megalot/contract'
import { getBasicUser, listPackages, listProductPeriod } from '@megalot/contract/browser'
import { startEarlyCaptcha } from './auth/captcha-picture.ts'
import { readEntryStyle } from './bet/entry-style-choice.ts'
import { startEarlyRequest } from '../lib/api/early-replies.ts'
import { LANGUAGE_KEY, SESSION_KEY, WEB_FONT_KEY } from '../lib/device/storage-keys.ts'
import { isRecord, readStored, readStoredText, textForm } from '../lib/device/stored-value.ts'
import type { StoredForm } from '../lib/device/stored-value.ts'
import { applyThemeChoice, storedThemeChoice } from '../lib/device/theme-choice.ts'
import { awaitThaiGlyphs, linkWebFont } from '../lib/page/thai-glyphs.ts'
import { readBetPath } from '../lib/page/addresses.ts'

/** In a tab in the background nothing is ever painted. */
const LONGEST_WAIT_MS = 300

const root = document.documentElement

/** The parts of the session in `lib/session/session-store.ts` that the first requests need. */
const tokenForm: StoredForm<string> = {
  version: 0,
  read: (stored) => (isRecord(stored) ? textForm.read(stored['session_token'], 0) : null),
}

/** A device that has the web font's files shows the first text in it (`lib/page/web-font.ts`). */
function applyWebFont(): void {
  const { webFont } = root.dataset
  if (webFont === undefined) return
  if (readStoredText(WEB_FONT_KEY) === null) awaitThaiGlyphs(webFont)
  else linkWebFont(webFont).setAttribute('blocking', 'render')
}

/** The prerendered page must match the router's first page and the stored language. */
function mayShowFrame(session_token: string | null, language: Language): boolean {
  if (root.lang !== language) return false
  if (root.dataset['page'] !== 'index') return session_token !== null
  return session_token === null && ['/auth/login', '/'].some((path) => path === location.pathname)
}

function prepareFrame(isShown: boolean): void {
  root.dataset['frame'] = isShown ? 'shown' : 'none'
  if (!isShown || root.dataset['page'] !== 'bet') return
  const style = readEntryStyle()
  root.dataset['frameStyle'] = style
  // As the keypad marks the page later (`ui/root-attribute.ts`).
  root.toggleAttribute('data-with-totals-bar', style === 'mobile')
  root.toggleAttribute('data-with-keypad', style === 'mobile')
}

function startRequests(session_token: string, language: Language): void {
  startEarlyRequest(getBasicUser.path, session_token, language)
  const product_code = readBetPath(location.pathname)
  if (product_code === undefined && location.pathname !== '/') return
  startEarlyRequest(listProductPeriod.path, session_token, language)
  if (product_code !== undefined)
    startEarlyRequest(listPackages.path.replace(':product_code', product_code), session_token, language)
}

/**
 * The page's style sheets are inline. A disabled link for each shows the code that loads chunks that the sheet is there;
 * in the markup, the browser's preload scanner would fetch it all the same.
 */
function noteInlineStyles(): void {
  for (const link of document.querySelectorAll<HTMLLinkElement>('link[rel="inline-stylesheet"]')) {
    link.setAttribute('disabled', '')
    link.rel = 'stylesheet'
  }
}

function preloadApp(): void {
  for (const link of document.querySelectorAll<HTMLLinkElement>('link[rel="preload-later"]')) {
    link.fetchPriority = 'low'
    link.rel = 'modulepreload'
  }
}

/** Imports the application once the frame has been painted: its run would delay the paint. */
function startAppAfterPaint(): void {
  let isStarted = false
  const start = (): void => {
    if (isStarted) return
    isStarted = true
    preloadApp()
    noteInlineStyles()
    const main = document.querySelector<HTMLLinkElement>('link[data-main]')
    if (main !== null) void import(/* @vite-ignore */ main.href)
  }
  if (document.visibilityState !== 'visible' || !PerformanceObserver.supportedEntryTypes.includes('paint')) {
    document.addEventListener('DOMContentLoaded', start)
    return
  }
  new PerformanceObserver(start).observe({ type: 'paint', buffered: true })
  document.addEventListener('DOMContentLoaded', () => setTimeout(start, LONGEST_WAIT_MS))
}

const session_token = readStored(tokenForm, SESSION_KEY)
const language = readStoredText(LANGUAGE_KEY) === 'en' ? 'en' : 'th'
applyThemeChoice(storedThemeChoice())
applyWebFont()
const isFrameShown = mayShowFrame(session_token, language)
prepareFrame(isFrameShown)
if (isFrameShown && root.dataset['page'] === 'index') startEarlyCaptcha()
if (session_token !== null) {
  startRequests(session_token, language)
  // Once the first frame is laid out, and the line is free while it is painted. Sooner, the scripts would delay it.
  requestAnimationFrame(() => setTimeout(preloadApp))
}
startAppAfterPaint()
