// Goal: a member is asked about notifications only where a first ticket waits for its result, gets them while no page is
// open, opens their page by a click, and turns them off in one place.

import { type Language, subscribePush } from '@megalot/contract'
import type { BrowserContext, CDPSession, Page } from '@playwright/test'
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
      const text = String(options?.applicationServerKey).replaceAll('-', '+').replaceAll('_', '/')
      const key = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0)).buffer
      current = {
        endpoint: 'https://push.example.com/send/a',
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

const readNotifications = (page: Page) =>
  page.evaluate(async () => {
    const registration = await navigator.serviceWorker.ready
    return (await registration.getNotifications()).map(({ title, body, tag }) => ({ title, body, tag }))
  })

/** Presses the notification as a finger would; the protocol has no command for that. */
async function pressNotification(context: BrowserContext): Promise<void> {
  const [worker] = context.serviceWorkers()
  await worker!.evaluate(async () => {
    const scope = self as unknown as {
      registration: ServiceWorkerRegistration
      dispatchEvent: (event: Event) => boolean
      NotificationEvent: new (type: string, init: { notification: Notification }) => Event
    }
    const [notification] = await scope.registration.getNotifications()
    scope.dispatchEvent(new scope.NotificationEvent('notificationclick', { notification: notification! }))
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
      await context.grantPermissions(['notifications'], { origin: url })
      await standInForPushService(page, 'granted')
      await openAs(page, api, language)
      const offer = page.getByRole('button', { name: t('push.offer') })

      await page.goto('/')
      await startWorker(page)
      await expect(page.getByRole('main')).toBeVisible()
      await expect(offer).toBeHidden()

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

      const cdp = await context.newCDPSession(page)
      const message = {
        tag: 'confirm:1',
        title: 'ผลออกแล้ว',
        body: 'แตะเพื่อดู',
        language: 'th',
        path: `/bills/${order.order_id}`,
      }
      await page.goto('/')
      await deliver(cdp, url, message)
      await expect
        .poll(() => readNotifications(page))
        .toEqual([{ title: message.title, body: message.body, tag: message.tag }])
      // Delivered twice it is there once.
      await deliver(cdp, url, { ...message, body: 'อีกครั้ง' })
      await expect
        .poll(() => readNotifications(page))
        .toEqual([{ title: message.title, body: 'อีกครั้ง', tag: message.tag }])
      await pressNotification(context)
      await expect(page).toHaveURL(`${url}/bills/${order.order_id}`)
      await expect.poll(() => readNotifications(page)).toEqual([])

      await page.goto('/account/sessions')
      const isOn = page.getByRole('checkbox', { name: t('push.switch') })
      await expect(isOn).toBeChecked()
      await checkScreen(page, info, `push-switch-${language}`)
      await input.press(isOn)
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
