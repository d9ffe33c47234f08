// Goal: the frames in the built pages are made of the application's own parts, in both languages, and hold nothing that
// belongs to a device, a member or the application's copy of the page.

import { renderToStaticMarkup } from 'react-dom/server'
import { IntlProvider } from 'use-intl'
import { expect, test } from 'vitest'
import { SlipToolBar, toolsOffAtFirst } from '../bet/slip-view/slip-tools.tsx'
import { KeypadPlaceholder } from '../bet/entry/mobile/keypad-entry.tsx'
import { messages as authEnglish } from '../auth/auth.en.ts'
import { messages as betEnglish } from '../../shared/markets/bet.en.ts'
import { messages as entryEnglish } from '../bet/entry/entry.en.ts'
import { messages as shellEnglish } from '../shell/shell.en.ts'
import { messages as authThai } from '../auth/auth.th.ts'
import { messages as betThai } from '../../shared/markets/bet.th.ts'
import { messages as entryThai } from '../bet/entry/entry.th.ts'
import { messages as shellThai } from '../shell/shell.th.ts'
import { renderFrame, renderPages } from './render-frames.tsx'

const words = {
  th: { auth: authThai, bet: betThai, entry: entryThai, shell: shellThai },
  en: { auth: authEnglish, bet: betEnglish, entry: entryEnglish, shell: shellEnglish },
}
const languages = ['th', 'en'] as const

test.each(languages)('the log-in page shows its form (%s)', async (language) => {
  const { auth } = words[language]
  const frame = await renderFrame('index', language)
  for (const text of [auth.title, auth.username, auth.password, auth.captcha, auth.to_register, auth.proof.other])
    expect(frame).toContain(text)
  // Each captcha has an id of its own.
  // The first script gives it a picture of its own.
  expect(frame).toContain('<img alt="" width="120" height="44"/>')
})

test.each(languages)('the bet page shows the bars, the tabs, and the keypad (%s)', async (language) => {
  const { bet, entry, shell } = words[language]
  const frame = await renderFrame('bet', language)
  const { lotto, bills, reports, awards, manual } = shell.menu
  const { hint, reverse } = entry.keypad
  const { top, bottom, roll } = bet.grid.column
  const labels = [bet.title, bet.totals.submit, bet.view.latest, hint, reverse, top, bottom, roll, entry.tools.import]
  for (const text of [lotto, bills, reports, awards, manual, ...labels]) expect(frame).toContain(`>${text}<`)
  for (const key of ['1', '2', '3', '4', '5', '6', '7', '8', '9', '00', '0', '000']) expect(frame).toContain(`>${key}<`)
  expect(frame).toContain('aria-current')
})

test.each(languages)('the other pages inside show the bars and no content (%s)', async (language) => {
  const frame = await renderFrame('inside', language)
  expect(frame).toContain(`>${words[language].shell.menu.bills}<`)
  expect(frame).toMatch(/<main[^>]*><\/main>/)
})

test('the keypad of the frame is the component itself', async () => {
  const tools = <SlipToolBar off={toolsOffAtFirst} onUse={() => {}} />
  const markup = renderToStaticMarkup(
    <IntlProvider locale="th" messages={words.th} timeZone="Asia/Bangkok">
      <KeypadPlaceholder tools={tools} totals={null} />
    </IntlProvider>,
  )
  const withoutIds = markup.replaceAll(/ (?:id|for|name|data-testid|aria-\w*(?:label|describ)\w*)="[^"]*"/g, '')
  const end = '</div></section>'
  expect(withoutIds.endsWith(end)).toBe(true)
  // The frame continues with the totals.
  expect(await renderFrame('bet', 'th')).toContain(withoutIds.slice(0, -end.length))
})

test('no frame holds ids, names, or anything of a member', async () => {
  const { pages } = await renderPages()
  expect(pages.map(({ file }) => file)).toEqual([
    'index.html',
    'index.en.html',
    'inside.html',
    'inside.en.html',
    'bet.html',
    'bet.en.html',
  ])
  const forbidden = / (?:id|for|name|data-testid)="|<script|<iframe| on\w+=|javascript:|member\d|\d,\d{3}|20\d\d-\d\d/
  expect(
    pages.flatMap(({ file, frame }) => (forbidden.test(frame) ? [`${file}: ${forbidden.exec(frame)?.[0]}`] : [])),
  ).toEqual([])
})

test('rendering twice gives the same pages: a build can be repeated', async () => {
  expect(await renderPages()).toEqual(await renderPages())
})
