// Goal: a period that closes under a member's hands is refused in words that stay until they are read, and the slip is
// not lost.

import { getCreditInfo, listenLive, listOrders, refusals } from '@megalot/contract'
import { Api } from '../api.ts'
import { expect, memberOf, roundOf, test } from '../fixtures.ts'
import { betPageOf } from '../pages/bet-page.ts'
import { LoginPage } from '../pages/login-page.ts'
import { readSessionId } from '../pages/session.ts'
import { wordsOf } from '../pages/words.ts'
import { waitUntilQuiet } from '../watch-requests.ts'

test('a ticket for a period that has just closed', async ({ page, url, office, isPhone }, info) => {
  // A market of its own for each project, so that no other journey's period is shown instead.
  const product_code = isPhone ? 'malay' : 'egypt'
  const period = await office.openPeriod(product_code, roundOf(info.project.name, 7), 60_000 * 30)
  // This page has not heard of it: the news would take the period from the screen before the ticket is sent.
  await page.route(`**${listenLive.path}`, (route) => route.abort())
  await new LoginPage(page).logIn(memberOf(info.project.name, 8))
  const api = new Api(url)
  api.sessionId = await readSessionId(page)
  const readTraces = async () => [await api.call(getCreditInfo), await api.call(listOrders)]
  const before = await readTraces()

  const bet = betPageOf(page, isPhone)
  await bet.open(product_code)
  await bet.choosePackage('70')
  await bet.fillGrid([{ bet_type: '2top', number: '01', bet_satang: 2_000 }])
  await office.closePeriod(period.period_code)
  await bet.submit.click()
  await expect(bet.answer.getByText(refusals.period_closed.th)).toBeVisible()
  await expect(bet.answer.getByText('ไม่มีการหักเครดิต')).toBeVisible()
  // The list of markets is fetched again behind the answer; that must not take it away.
  await waitUntilQuiet(page)
  await bet.answer.getByRole('button', { name: wordsOf('th').back_to_slip }).click()
  await expect(bet.answer).toBeHidden()
  expect(await readTraces()).toEqual(before)
})
