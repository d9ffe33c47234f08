// Goal: a member is asked about notifications only where a first ticket waits for its result, gets them while no page is
// open, opens their page by a click, and turns them off in one place.

import { type Language, subscribePush } from '@megalot/contract'
import type { CDPSession, Page, Worker } from '@playwright/test'
import { checkScreen } from '../check-screen.ts'
import { expect, tagOf, test } from '../fixtures.ts'
import { anyRound, item, joinMember, placeTicket } from '../history.ts'
import { betPageOf } from '../pages/bet-page.ts'
import { Input } from '../pages/input.ts'
import { newUsername } from '../pages/register-page.ts'
import { openAs } from '../pages/session.ts'
import { wordsOf } from '../pages/words.ts'

test.use({ serviceWorkers: 'allow' })

const market = 'hanoi'

/** The browser of a machine without a network has no push service. This stands in for it; the worker is the real one. */
async function standInForPushService(page: Page, permission: NotificationPermission): Promise<void> {
  await page.addInitScript((asked) => {
    let current: PushSubscription | null = null
    const asks = 'test.permission'
    Object.defineProperty(Notification, 'permission', { get: () => localStorage.getItem(asks) ?? 'default' })
    Notification.requestPermission = () => {
      localStorage.setItem(asks, asked)
      return Promise.resolve(asked)
    }
    PushManager.prototype.getSubscription = () => Promise.resolve(current)
    PushManager.prototype.subscribe = (options) => {
      const text = (options!.applicationServerKey as string).replaceAll('-', '+').replaceAll('_', '/')
      const key = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0)).buffer
      current = {
        endpoint: 'https://fcm.googleapis.com/fcm/send/a',
        options: { applicationServerKey: key, userVisibleOnly: true },
        getKey: (name: PushEncryptionKeyName) => new Uint8Array(name === 'auth' ? 16 : 65).fill(4).buffer,
        unsubscribe: () => {
          current = null
          return Promise.resolve(true)
        },
      } as unknown as PushSubscription
      return Promise.resolve(current)
    }
  }, permission)
}

async function startWorker(page: Page): Promise<void> {
  await page.evaluate(async () => {
    await navigator.serviceWorker.register('/service-worker.js')
    await navigator.serviceWorker.ready
    if (navigator.serviceWorker.controller === null)
      await new Promise((resolve) =>
        navigator.serviceWorker.addEventListener('controllerchange', resolve, { once: true }),
      )
  })
}

/** Delivers a message as the browser does when its push service has one. */
async function deliver(cdp: CDPSession, origin: string, message: object): Promise<void> {
  const registered = new Promise<string>((resolve) =>
    cdp.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
      const own = registrations.find(({ scopeURL }) => scopeURL.startsWith(origin))
      if (own) resolve(own.registrationId)
    }),
  )
  await cdp.send('ServiceWorker.enable')
  const registrationId = await registered
  await cdp.send('ServiceWorker.deliverPushMessage', { origin, registrationId, data: JSON.stringify(message) })
}

interface Shown {
  title: string
  body: string
  tag: string
  data: string
}

/** What the real worker has, and what this journey leaves in it. */
interface WorkerScope {
  registration: { showNotification: (title: string, options: Omit<Shown, 'title'>) => Promise<void> }
  dispatchEvent: (event: Event) => boolean
  shown: Shown[]
}

/** A browser without a screen refuses to show notifications, whatever is permitted. Here the worker notes them. */
async function noteNotifications(worker: Worker): Promise<void> {
  await worker.evaluate(() => {
    const scope = self as unknown as WorkerScope
    scope.shown = []
    scope.registration.showNotification = (title, { body, tag, data }) => {
      scope.shown = [...scope.shown.filter((each) => each.tag !== tag), { title, body, tag, data }]
      return Promise.resolve()
    }
  })
}

const readShown = (worker: Worker): Promise<Shown[]> => worker.evaluate(() => (self as unknown as WorkerScope).shown)

/** Presses the notification as a finger would. The protocol has no command for that. */
async function pressNotification(worker: Worker): Promise<void> {
  await worker.evaluate(() => {
    const scope = self as unknown as WorkerScope
    const [{ data }] = scope.shown as [Shown]
    const notification = { data, close: () => (scope.shown = []) }
    // An event of a script keeps no worker alive.
    const event = Object.defineProperty(new Event('notificationclick'), 'waitUntil', { value: () => {} })
    scope.dispatchEvent(Object.assign(event, { notification }))
  })
}

for (const language of ['th', 'en'] as const satisfies readonly Language[]) {
  test(
    `pushes are offered beside a waiting ticket, shown by the worker, and turned off (${language})`,
    { tag: tagOf(language, 'th-phone') },
    async ({ page, context, url, office, isPhone }, info) => {
      const t = wordsOf(language)
      const input = new Input(page, isPhone)
      const period = await office.openPeriod(market, anyRound())
      const api = await joinMember(url, office, newUsername(info.project.name, `${language}push`))
      await standInForPushService(page, 'granted')
      await openAs(page, api, language)
      const offer = page.getByRole('button', { name: t('push.offer') })

      await page.goto('/')
      await startWorker(page)
      await expect(page.getByRole('main')).toBeVisible()
      await expect(offer).toBeHidden()
      // Nor where pushes are turned off.
      await page.goto('/account/sessions')
      await expect(page.getByRole('heading', { name: t('sessions.title') })).toBeVisible()
      await expect(page.getByRole('checkbox')).toBeHidden()

      const order = await placeTicket(api, period, [item('2top', '71', 10)])
      await page.goto(`/bills/${order.order_id}`)
      await checkScreen(page, info, `push-offer-${language}`)
      const subscribed = page.waitForResponse((reply) => reply.url().endsWith(subscribePush.path))
      await input.press(offer)
      expect((await subscribed).status()).toBe(200)
      await expect(page.getByText(t('push.on'))).toBeVisible()
      await expect(offer).toBeHidden()
      await page.reload()
      await expect(page.getByTestId('order-id')).toBeVisible()
      await expect(offer).toBeHidden()

      const worker = context.serviceWorkers()[0]!
      await noteNotifications(worker)
      const cdp = await context.newCDPSession(page)
      const path = `/bills/${order.order_id}`
      const message = { tag: 'confirm:1', title: 'ผลออกแล้ว', body: 'แตะเพื่อดู', language: 'th', path }
      await page.goto('/')
      await deliver(cdp, url, message)
      const shown = { tag: message.tag, title: message.title, body: message.body, data: path }
      await expect.poll(() => readShown(worker)).toEqual([shown])
      await pressNotification(worker)
      await expect(page).toHaveURL(`${url}${path}`)
      expect(await readShown(worker)).toEqual([])
      // Another site's page is not opened.
      await deliver(cdp, url, { ...message, path: 'https://elsewhere.example.com/' })
      await expect.poll(() => readShown(worker)).toHaveLength(1)
      await pressNotification(worker)

      await page.goto('/account/sessions')
      const isOn = page.getByRole('checkbox', { name: t('push.switch') })
      await expect(isOn).toBeChecked()
      await checkScreen(page, info, `push-switch-${language}`)
      await input.tick(isOn)
      await expect(isOn).not.toBeChecked()
      await page.goto(`/bills/${order.order_id}`)
      await expect(offer).toBeVisible()
    },
  )
}

test('a member who forbids notifications on the receipt is not asked again @phone-only', async ({
  page,
  url,
  office,
  isPhone,
  openShownPeriod,
}, info) => {
  const t = wordsOf('th')
  await openShownPeriod('malay', anyRound())
  await standInForPushService(page, 'denied')
  await openAs(page, await joinMember(url, office, newUsername(info.project.name, 'nopush')))
  const bet = betPageOf(page, isPhone)
  await bet.open('malay')
  await bet.choosePackage('70')
  await bet.fillGrid([{ bet_type: '2top', number: '71', bet_satang: 2_000 }])
  await bet.send()
  const offer = bet.answer.getByRole('button', { name: t('push.offer') })
  await bet.input.press(offer)
  await expect(page.getByText(t('push.blocked'))).toBeVisible()
  await expect(offer).toBeHidden()
  await bet.closeAnswer()
})

test('a browser without push shows nothing of it @phone-only', async ({ page, url, office }, info) => {
  const t = wordsOf('th')
  const period = await office.openPeriod(market, anyRound())
  const api = await joinMember(url, office, newUsername(info.project.name, 'absent'))
  const order = await placeTicket(api, period, [item('2top', '71', 10)])
  await page.addInitScript(() => Reflect.deleteProperty(window, 'PushManager'))
  await openAs(page, api)
  await page.goto(`/bills/${order.order_id}`)
  await expect(page.getByTestId('order-id')).toBeVisible()
  await expect(page.getByRole('button', { name: t('push.offer') })).toBeHidden()
  await page.goto('/account/sessions')
  await expect(page.getByRole('heading', { name: t('sessions.title') })).toBeVisible()
  await expect(page.getByRole('checkbox')).toBeHidden()
})
