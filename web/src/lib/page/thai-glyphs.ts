// Shows no page before its Thai letters can be drawn. Runs before the first paint, in the first script of each page.

const FAMILY = '16px "Noto Sans Thai Looped Variable"'
/** The fonts of a device that `ui/global.css` names. */
const DEVICE_FONTS = '16px "Noto Sans Thai", "Leelawadee UI", Thonburi, system-ui, sans-serif'

/** Without Thai glyphs a narrow letter and a wide one are the same box. */
function hasThaiGlyphs(): boolean {
  const context = document.createElement('canvas').getContext('2d')
  if (context === null) return true
  context.font = DEVICE_FONTS
  return context.measureText('เ').width !== context.measureText('ฌ').width
}

/** Links the style sheet of the bundled font. */
export function linkWebFont(sheet: string): HTMLLinkElement {
  const link = document.createElement('link')
  link.rel = 'stylesheet'
  link.crossOrigin = ''
  link.setAttribute('href', sheet)
  document.head.append(link)
  return link
}

/** On a device without Thai glyphs, hides the page until the bundled font is there, or cannot be had. */
export function awaitThaiGlyphs(sheet: string): void {
  if (hasThaiGlyphs()) return
  const root = document.documentElement
  root.dataset['glyphs'] = 'none'
  const show = (): void => {
    delete root.dataset['glyphs']
  }
  const link = linkWebFont(sheet)
  link.addEventListener('error', show)
  link.addEventListener('load', () => {
    void Promise.allSettled(['ก', 'a'].map((text) => document.fonts.load(FAMILY, text))).then(show)
  })
}
