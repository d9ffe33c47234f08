// Goal: on the bet page everything that a bet needs is in sight and under the finger, whatever is news; no key moves; no
// amount becomes a number; and a slip whose period closes is kept, with a word.

import { deleteOrder, type Language } from '@megalot/contract'
import type { Page } from '@playwright/test'
import { checkScreen } from '../check-screen.ts'
import { expect, test } from '../fixtures.ts'
import { anyRound, item, joinMember, makeHistory, placeTicket } from '../history.ts'
import type { Office } from '../office.ts'
import { betPageOf } from '../pages/bet-page.ts'
import { Builder, Keypad, SlipList } from '../pages/entry-styles.ts'
import { findUnreachable } from '../pages/hit-test.ts'
import { newUsername } from '../pages/register-page.ts'
import { openAs } from '../pages/session.ts'
import { wordsOf } from '../pages/words.ts'

/** A market of these journeys alone, and another one of its kind. */
const product_code = 'thai-evening'
const sameKind = 'dow'
const languages = ['th', 'en'] as const satisfies readonly Language[]

/**
 * What every size shows at once; the clock is that beside the market, not that of the news. Where the timetable has another open
 * period the button that chooses one lies over the clock.
 */
const cockpit = {
  market: 'h1 button',
  clock: 'h1 + * button, h1 + *:not(:has(button)) [data-testid=countdown]',
  rate: '[data-testid=rate]',
  style: 'label:has(input[value=grid]), label:has(input[value=builder]), label:has(input[value=mobile])',
  tool: '[role=toolbar] button',
  send: '[data-submit]',
  total: '[data-testid=slip-total-net]',
}
const keypadParts = {
  credit: '[data-credit]',
  latest: '[data-view-switch] label',
  key: 'section fieldset button',
  digits: 'section label',
  display: '[data-testid^=keypad-]',
  running: '[data-testid=running-row] button',
}
const newsParts = { news: '[data-testid=waiting-news] a', close: '[data-testid=waiting-news] button' }

/** A member with news of every kind: a waiting ticket, a void, a deleted ticket, a result and an announcement. */
async function joinWithNews(
  url: string,
  office: Office,
  username: string,
  openShown: () => ReturnType<Office['openPeriod']>,
) {
  const history = await makeHistory(url, office, username, product_code, openShown)
  const [first] = office.apis
  const params = { order_id: String(history.running.order_id) }
  await first.call(deleteOrder, { params, body: { reason: 'a journey' } })
  const voided = await office.openPeriod(product_code, anyRound())
  await placeTicket(history.api, voided, [item('2top', '11', 10)])
  await office.voidPeriod(voided, 'ไม่มีการออกรางวัล')
  const announcement = await office.announce({
    type: 'important',
    title_th: 'ประกาศที่ยาวกว่าหนึ่งบรรทัดของโทรศัพท์ทุกเครื่องที่ใช้แทงหวย',
    title_en: 'An announcement that is longer than one line of any phone that is used for betting',
    body_th: 'ทดสอบ',
    body_en: 'A test',
    is_enabled: true,
  })
  return { api: history.api, end: () => office.withdraw(announcement) }
}

test('with news of every kind each control of the keypad is reached by a finger @phone-only', async ({
  page,
  url,
  office,
  isPhone,
  openShownPeriod,
}, info) => {
  const username = newUsername(info.project.name, 'hit')
  const { api, end } = await joinWithNews(url, office, username, () => openShownPeriod(product_code, anyRound()))
  try {
    for (const language of languages) {
      await openAs(page, api, language)
      const bet = betPageOf(page, isPhone, language)
      const keypad = new Keypad(page, isPhone, wordsOf(language))
      await bet.open(product_code, 'mobile')
      await bet.choosePackage('70')
      for (const number of ['45', '46', '48']) await keypad.key(number)
      await keypad.press(wordsOf(language)('bet.quick.stake', { baht: '20' }))
      for (const [width, height] of [
        [320, 740],
        [360, 740],
        [375, 812],
        [390, 844],
      ] as const) {
        await test.step(`${width} px, ${language}`, async () => {
          await page.setViewportSize({ width, height })
          await expect(page.getByTestId('waiting-news')).toBeVisible()
          await expect.poll(() => findUnreachable(page, { ...cockpit, ...keypadParts, ...newsParts })).toEqual([])
          const line = await page.getByTestId('waiting-news').boundingBox()
          expect(line!.height).toBeLessThanOrEqual(36)
          // Nothing but the waiting ticket is worth the room here.
          for (const name of ['period-news', 'deleted-news', 'settled-news', 'announcement-news'])
            await expect(page.getByTestId(name)).toHaveCount(0)
          await checkScreen(page, info, `bet-cockpit-${width}-${language}`)
        })
      }
      await page
        .getByRole('toolbar')
        .getByRole('button', { name: wordsOf(language)('entry.tools.clear') })
        .click()
    }
  } finally {
    await end()
  }
})

test('with news of every kind each control of the desktop is reached, also below 60 rows @desktop-only', async ({
  page,
  url,
  office,
  isPhone,
  openShownPeriod,
}, info) => {
  const username = newUsername(info.project.name, 'hit')
  const { api, end } = await joinWithNews(url, office, username, () => openShownPeriod(product_code, anyRound()))
  try {
    await page.setViewportSize({ width: 1366, height: 768 })
    for (const language of languages) {
      await openAs(page, api, language)
      const bet = betPageOf(page, isPhone, language)
      await bet.open(product_code, 'grid')
      await bet.choosePackage('70')
      await expect(page.getByTestId('waiting-news')).toBeVisible()
      await expect
        .poll(() => findUnreachable(page, { ...cockpit, ...newsParts, cell: '[data-testid^=cell-0-]', head: 'th' }))
        .toEqual([])
      await checkScreen(page, info, `bet-cockpit-${language}`)
      await bet.cell(0, 'number').focus()
      const rows = Array.from({ length: 60 }, (_, index) => `${index + 10}=20`).join('\n')
      await page.evaluate((text) => {
        const clipboardData = new DataTransfer()
        clipboardData.setData('text', text)
        document.activeElement!.dispatchEvent(
          new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }),
        )
      }, rows)
      await expect(bet.cell(59, 'number')).toHaveValue('69')
      await test.step('twenty rows are seen at once', async () => {
        await page.evaluate(() => scrollTo(0, 0))
        const bar = await page.locator('[data-submit]').evaluate((button) => {
          return button.closest('section, form')!.getBoundingClientRect().top
        })
        const last = (await bet.cell(19, 'number').boundingBox())!
        expect(last.y + last.height).toBeLessThanOrEqual(bar)
      })
      await test.step('the head and the bar stay while the rows scroll', async () => {
        await bet.cell(55, 'number').focus()
        const { tool: _tool, ...staying } = cockpit
        await expect.poll(() => findUnreachable(page, { ...staying, head: 'th' })).toEqual([])
        await expect(page.getByRole('row').nth(56).getByRole('cell').first()).toHaveText('56')
      })
      await page.evaluate(() => scrollTo(0, 0))
      await page
        .getByRole('toolbar')
        .getByRole('button', { name: wordsOf(language)('entry.tools.clear') })
        .click()
      await test.step('style B', async () => {
        await bet.chooseStyle('builder')
        await page.getByTestId('entry-text').waitFor()
        await expect
          .poll(() =>
            findUnreachable(page, {
              market: cockpit.market,
              clock: cockpit.clock,
              rate: cockpit.rate,
              style: cockpit.style,
              send: cockpit.send,
            }),
          )
          .toEqual([])
      })
    }
  } finally {
    await end()
  }
})

/** Where the keys and the send button stand. */
function readKeys(page: Page): Promise<string[]> {
  return page.locator('section fieldset button, [data-submit]').evaluateAll((keys) =>
    keys.map((key) => {
      const { x, y } = key.getBoundingClientRect()
      // A price is shown in its key.
      return `${key.getAttribute('data-testid') ?? key.textContent} ${x} ${y}`
    }),
  )
}

test('no key moves while numbers, amounts and refusals come and go @phone-only', async ({
  page,
  url,
  office,
  isPhone,
  openShownPeriod,
}, info) => {
  await openShownPeriod(product_code, anyRound())
  const t = wordsOf('th')
  await openAs(page, await joinMember(url, office, newUsername(info.project.name, 'key'), 10_000))
  const bet = betPageOf(page, isPhone)
  const keypad = new Keypad(page, isPhone, t)
  await bet.open(product_code, 'mobile')
  await bet.choosePackage('90')
  await keypad.press(t('bet.quick.stake', { baht: '20' }))
  const before = await readKeys(page)
  await keypad.key('47')
  // The member has chosen no second column: 20 costs 20.
  await expect(bet.totalNet).toHaveText('20.00')
  expect(await readKeys(page)).toEqual(before)
  await test.step('the slip costs more than the member has', async () => {
    await keypad.press('ใส่ 500 บาท')
    await expect(page.getByTestId('running-list')).toContainText('เกินเครดิตคงเหลือ')
    expect(await readKeys(page)).toEqual(before)
  })
  await test.step('a price is as long as it can be', async () => {
    await keypad.choose('roll')
    await keypad.key('1234567')
    expect(await readKeys(page)).toEqual(before)
    await keypad.choose('roll')
    await keypad.press(t('entry.keypad.erase'))
    await keypad.press(t('entry.keypad.done'))
  })
  await test.step('a number waits for its amount', async () => {
    await keypad.press(t('entry.keypad.next_price'))
    await keypad.press(t('entry.keypad.erase'))
    await keypad.press(t('entry.keypad.done'))
    await keypad.key('48')
    await expect(page.getByTestId('running-list')).toContainText(t('entry.keypad.needs_amount'))
    expect(await readKeys(page)).toEqual(before)
  })
  await test.step('the prices last on this device', async () => {
    await keypad.quick(20)
    await keypad.choose('bottom')
    await keypad.quick(50)
    await page.reload()
    await expect(keypad.price('top')).toContainText('20')
    await expect(keypad.price('bottom')).toContainText('50')
  })
})

test('an amount after an amount is never taken for a number', async ({
  page,
  url,
  office,
  isPhone,
  openShownPeriod,
}, info) => {
  await openShownPeriod(product_code, anyRound())
  await openAs(page, await joinMember(url, office, newUsername(info.project.name, 'ent')))
  const bet = betPageOf(page, isPhone)
  const builder = new Builder(page, isPhone)
  const type = async (texts: readonly string[]): Promise<void> => {
    for (const text of texts) {
      await page.keyboard.type(text)
      await page.keyboard.press('Enter')
    }
  }
  await test.step('style B', async () => {
    await bet.open(product_code, 'builder')
    await bet.choosePackage('90')
    await builder.text.focus()
    await type(['12 34 56', '50', '20'])
    await expect(builder.amount('top')).toHaveValue('50')
    await expect(builder.amount('bottom')).toHaveValue('20')
    await type([''])
    const stakes = ['12 50', '34 50', '56 50', '12 20', '34 20', '56 20']
    await expect.poll(() => new SlipList(page).stakes()).toEqual(stakes)
    await expect(builder.text).toHaveValue('')
    // What is typed on goes to the numbers, and Enter leads away from them without a bet.
    await type(['20'])
    await expect(builder.amount('top')).toBeFocused()
    await expect.poll(() => new SlipList(page).stakes()).toEqual(stakes)
  })
  await test.step('the box beside the grid', async () => {
    await bet.chooseStyle('grid')
    await page
      .getByRole('toolbar')
      .getByRole('button', { name: wordsOf('th')('entry.tools.clear') })
      .click()
    await page.locator('summary').click()
    await page.getByTestId('entry-text').focus()
    await type(['77 88', '50', '20'])
    await expect(bet.cell(0, 'number')).toHaveValue('')
    await type([''])
    await expect(bet.cell(1, 'number')).toHaveValue('88')
    await expect(bet.cell(1, 'bottom')).toHaveValue('20')
    await expect(bet.cell(2, 'number')).toHaveValue('')
    // A whole line brings its own amounts, and one that may mean another bet is refused.
    await page.getByTestId('entry-text').fill('12=30')
    await page.getByTestId('entry-text').press('Enter')
    await expect(bet.cell(2, 'top')).toHaveValue('30')
    await expect(bet.cell(2, 'bottom')).toHaveValue('')
    await page.getByTestId('entry-text').fill('12,21=50')
    await page.getByTestId('add-many').click()
    await expect(page.getByTestId('toasts')).toContainText('มีหลายเลขต่อราคาเดียว')
    await expect(bet.cell(3, 'number')).toHaveValue('')
  })
})

test('without a rate, the choice of one sends the slip, and holds for markets of the same kind', async ({
  page,
  url,
  office,
  isPhone,
  openShownPeriod,
}, info) => {
  await openShownPeriod(product_code, anyRound())
  await openAs(page, await joinMember(url, office, newUsername(info.project.name, 'rate')))
  const bet = betPageOf(page, isPhone)
  await bet.open(product_code)
  await bet.fillGrid([{ bet_type: '2top', number: '47', bet_satang: 2_000 }])
  await bet.send()
  await checkScreen(page, info, 'bet-rate-asked')
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toBeHidden()
  await expect(bet.cell(0, 'number')).toHaveValue('47')
  await bet.send()
  await bet.input.press(page.getByTestId('rate-90'))
  await expect(bet.orderId).toBeVisible()
  await bet.closeAnswer()
  await page.goto(`/bet/${sameKind}`)
  await expect(page.getByTestId('rate')).toContainText('90')
})

for (const language of languages)
  test(`a market closes under a slip, which is kept for the next period (${language}) @phone-only`, async ({
    page,
    url,
    office,
    isPhone,
    openShownPeriod,
  }, info) => {
    const first = await openShownPeriod(product_code, anyRound())
    const second = await office.openPeriod(product_code, anyRound(), 2 * 3_600_000)
    try {
      const t = wordsOf(language)
      const name = (round: number | null): string => (language === 'th' ? `รอบที่ ${round}` : `Round ${round}`)
      await openAs(page, await joinMember(url, office, newUsername(info.project.name, `cls${language}`)), language)
      const bet = betPageOf(page, isPhone, language)
      const keypad = new Keypad(page, isPhone, t)
      await bet.open(product_code, 'mobile')
      await bet.choosePackage('90')
      await keypad.press(t('bet.quick.stake', { baht: '20' }))
      await keypad.key('47')
      const sheet = page.getByRole('dialog')
      await office.closePeriod(first.period_code)
      await expect(sheet).toContainText(name(first.round))
      await expect(sheet).toContainText(t('bet.earlier.text'))
      await checkScreen(page, info, `bet-closed-under-slip-${language}`)
      await test.step('discarded, it can be taken back', async () => {
        await bet.input.press(sheet.getByRole('button', { name: t('bet.earlier.drop') }))
        await expect(sheet).toBeHidden()
        await expect(page.getByTestId('running-row')).toHaveCount(0)
        await keypad.undo()
        await expect(page.getByTestId('running-row')).toContainText('47')
      })
      await test.step('moved, it is sent in the next period', async () => {
        // Closes the second one, and one of the timetable that would close before the third.
        const third = await office.openFirstPeriod(product_code, anyRound(), 3 * 3_600_000)
        await bet.input.press(
          sheet.getByRole('button', {
            name: t('bet.earlier.take', { period: name(third.round) }),
          }),
        )
        await expect(page.getByTestId('running-row')).toContainText('47')
        await expect(bet.totalNet).toHaveText('20.00')
        await bet.place()
        await office.closePeriod(third.period_code)
      })
    } finally {
      await office.closeIfOpen(second.period_code)
    }
  })
