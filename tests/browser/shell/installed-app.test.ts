// The installed app beyond its window: shortcuts, shared texts, notifications, and a sign-out that leaves
// nothing behind.
import type { Worker } from 'playwright-core'
import { generateVAPIDKeys } from 'web-push'
import { expect, test } from 'vitest'
import {
  chooseSignOut,
  composer,
  fillSignIn,
  openPlans,
  waitForOfflineReady,
  signIn,
} from '../fixtures/app.ts'
import { axeViolationsOf } from '../fixtures/axe-violations.ts'
import { createBrowserFixture, type BrowserFixture } from '../fixtures/browser-fixture.ts'
import { waitUntil } from '../fixtures/wait-until.ts'
import { longTest } from '../../long-test.ts'

const SHARED =
  'share_title=Minutes&share_text=They+signed.&share_url=https%3A%2F%2Fnotes.example%2F7'

longTest('shared text becomes a draft of the chosen plan, and shortcuts open offline', async () => {
  const scene = await createBrowserFixture()
  const { browser, network, url, plan } = scene
  const page = await browser.open(`${url}/success-plans?${SHARED}`)
  await fillSignIn(page, scene.ada)
  await page.getByRole('list', { name: 'Your organisations' }).getByRole('button').first().click()
  await page.getByRole('heading', { name: 'Add to a plan', level: 1 }).waitFor()
  await page.getByText('They signed.').waitFor()
  expect(await axeViolationsOf(page, 'shared')).toEqual([])
  const plans = page.getByRole('list', { name: 'Plans' }).getByRole('button')
  await page.getByLabel('Search plans').fill(plan.title.toUpperCase())
  await expect.poll(() => plans.count()).toBe(1)
  await plans.click()
  await waitUntil('the text is in the composer', async () => {
    const text = await composer(page).inputValue()
    return text === 'Minutes\n\nThey signed.\n\nhttps://notes.example/7'
  })
  await waitUntil('the app is ready for offline use', () =>
    page.evaluate(() => localStorage.getItem('ready_said') === 'yes'),
  )

  // Offline, with a draft in the form: nothing of it is lost.
  await network.goDown()
  await page.goto(`${url}/success-plans?share_text=And+again.`)
  await plans.first().waitFor()
  await page.getByLabel('Search plans').fill(plan.title)
  await expect.poll(() => plans.count()).toBe(1)
  await plans.click()
  await waitUntil('both texts are in the composer', async () =>
    /^Minutes[^]*And again\.$/.test(await composer(page).inputValue()),
  )

  for (const [path, heading] of [
    ['/success-plans?source=shortcut', /^Success plans$/],
    ['/success-plans/new?source=shortcut', /^New success plan$/],
    ['/success-plans?review', /review/i],
  ] as const) {
    await page.goto(url + path)
    await page.getByRole('heading', { name: heading, level: 1 }).waitFor()
  }

  // A draft survives when a shortcut navigates the same window.
  await page.goto(`${url}/success-plans/${plan.id}`)
  await waitUntil('the draft is restored', async () =>
    (await composer(page).inputValue()).endsWith('And again.'),
  )
  await composer(page).fill('Half a sen')
  await page.evaluate(() => location.assign('/success-plans/new?source=shortcut'))
  await page.getByRole('heading', { name: 'New success plan', level: 1 }).waitFor()
  await page.goto(`${url}/success-plans/${plan.id}`)
  await waitUntil(
    'the draft is restored',
    async () => (await composer(page).inputValue()) === 'Half a sen',
  )
})

const KEYS = generateVAPIDKeys()
const PUSH = {
  VAPID_PUBLIC_KEY: KEYS.publicKey,
  VAPID_PRIVATE_KEY: KEYS.privateKey,
  VAPID_SUBJECT: 'mailto:operator@example.com',
}

/** The notifications that the worker shows now. */
const shown = (worker: Worker) =>
  worker.evaluate(async () => {
    const { registration } = self as unknown as ServiceWorkerGlobalScope
    const all = await registration.getNotifications()
    return all.map(({ title, body, tag, data }) => ({ title, body, tag, data: data as unknown }))
  })

interface ServiceWorkerGlobalScope {
  registration: ServiceWorkerRegistration
}

const messageFor = ({ organisation, plan }: BrowserFixture, more: object = {}) =>
  JSON.stringify({
    user_id: organisation.user_id,
    organisation_id: organisation.id,
    title: plan.title,
    body: 'Ben posted an update',
    path: `/success-plans/${plan.id}`,
    tag: 'plan',
    ...more,
  })

test('a notification is shown only to its user and opens its plan; the settings show the permission', async () => {
  const scene = await createBrowserFixture({ env: PUSH, usedBefore: true, fullBrowser: true })
  const { browser, url, plan } = scene
  const page = await openPlans(scene)

  // No permission has been requested yet.
  await page.goto(`${url}/settings/notifications`)
  const place = page.getByRole('region', { name: 'On this device' })
  await place.getByText('Notifications are off').waitFor()
  expect(await page.evaluate(() => Notification.permission)).not.toBe('granted')
  await browser.context.grantPermissions(['notifications'], { origin: url })
  await page.reload()
  await place.getByText('Your browser allows them').waitFor()

  const devtools = await browser.context.newCDPSession(page)
  const registrations: { registrationId: string; scopeURL: string }[] = []
  devtools.on('ServiceWorker.workerRegistrationUpdated', (event) =>
    registrations.push(...event.registrations),
  )
  await devtools.send('ServiceWorker.enable')
  const { registrationId } = await waitUntil('the worker is registered', () =>
    registrations.find(({ scopeURL }) => scopeURL.startsWith(url)),
  )
  const deliver = (data: string) =>
    devtools.send('ServiceWorker.deliverPushMessage', { origin: url, registrationId, data })
  const worker = await waitUntil('the worker runs', () => browser.context.serviceWorkers()[0])

  await deliver(messageFor(scene, { user_id: 'another-user', title: 'Not for Ada', tag: 'theirs' }))
  await deliver('no message at all')
  await deliver(messageFor(scene, { path: '//evil.example', tag: 'evil' }))
  await deliver(messageFor(scene))
  await waitUntil('the notification is shown', async () => (await shown(worker)).length > 0)
  expect(await shown(worker)).toEqual([
    {
      title: plan.title,
      body: 'Ben posted an update',
      tag: 'plan',
      data: { path: `/success-plans/${plan.id}`, organisation_id: scene.organisation.id },
    },
  ])

  // A simulated click: only a real one may focus windows.
  await worker.evaluate(async () => {
    const scope = self as unknown as ServiceWorkerGlobalScope & EventTarget
    const [notification] = await scope.registration.getNotifications()
    if (!notification) throw new Error('There is none.')
    scope.dispatchEvent(
      new (
        self as unknown as { NotificationEvent: typeof NotificationEventKind }
      ).NotificationEvent('notificationclick', { notification }),
    )
  })
  await page.getByRole('heading', { name: plan.title, level: 1 }).waitFor()
  expect(await shown(worker)).toEqual([])
})

declare class NotificationEventKind extends Event {
  constructor(type: string, init: { notification: Notification })
}

/** The browser's push service is on the internet: here it always returns this subscription. */
const FAKE_SUBSCRIPTION = (endpoint: string) => {
  const bytes = (many: number) => new Uint8Array(many).fill(4)
  const text = (many: number) =>
    btoa(String.fromCharCode(...bytes(many)))
      .replaceAll('+', '-')
      .replaceAll('/', '_')
      .replace(/=+$/, '')
  const KEY = 'subscribed-here'
  const subscription = {
    endpoint,
    get options() {
      const key = (localStorage.getItem(KEY) ?? '').replaceAll('-', '+').replaceAll('_', '/')
      const applicationServerKey = Uint8Array.from(atob(key), (one) => one.codePointAt(0) ?? 0)
      return { applicationServerKey: applicationServerKey.buffer }
    },
    toJSON: () => ({ endpoint, keys: { p256dh: text(65), auth: text(16) } }),
    unsubscribe: async () => {
      localStorage.removeItem(KEY)
      return true
    },
  }
  Object.assign(PushManager.prototype, {
    getSubscription: async () => (localStorage.getItem(KEY) === null ? null : subscription),
    subscribe: async ({ applicationServerKey }: { applicationServerKey: string }) => {
      localStorage.setItem(KEY, applicationServerKey)
      return subscription
    },
  })
}

longTest(
  'push is subscribed by a click, stored on the server and removed at sign-out',
  async () => {
    const endpoint = 'https://fcm.googleapis.com/fcm/send/ada'
    const scene = await createBrowserFixture({ env: PUSH, usedBefore: true, fullBrowser: true })
    const { browser, network, url } = scene
    await browser.context.grantPermissions(['notifications'], { origin: url })
    await browser.context.addInitScript(FAKE_SUBSCRIPTION, endpoint)
    const page = await openPlans(scene)
    await page.goto(`${url}/settings/notifications`)
    const place = page.getByRole('region', { name: 'On this device' })
    await place.getByRole('button', { name: 'Turn on' }).click()
    await place.getByText('Notifications are on').waitFor()
    expect(await axeViolationsOf(page, 'notifications, on')).toEqual([])
    const answered = (method: string, path: RegExp, status: number) =>
      waitUntil(
        `${method} ${path} is answered`,
        () => network.requests(method, path).at(-1)?.status === status,
      )
    await answered('POST', /push-subscriptions$/, 201)
    // Turns one kind of notification off, which is a consent.
    await place.getByRole('switch', { name: 'Updates' }).click()
    await answered('PUT', /notification-consents$/, 200)
    // With pending operations a sign-out would ask what to do.
    const unsent = page.getByText(/^(Saved on this device|Sending)/)
    await waitUntil('nothing is pending', async () => (await unsent.count()) === 0)

    await page.goto(`${url}/success-plans`)
    await waitForOfflineReady(page)
    await chooseSignOut(page)
    await page.getByRole('button', { name: 'Sign in', exact: true }).waitFor()
    await answered('DELETE', /push-subscriptions$/, 204)
    expect(await page.evaluate(() => localStorage.getItem('subscribed-here'))).toBe(null)
  },
)

longTest('installation is offered at the second plan, and not again once declined', async () => {
  const scene = await createBrowserFixture()
  const { browser, url, plan } = scene
  const page = await browser.open()
  await signIn(page, url, scene.ada)
  await page.getByText('Ready to work offline').waitFor()
  const card = page.getByRole('region', { name: 'Install Cairn' })
  await page.goto(`${url}/success-plans/${plan.id}`)
  await page.getByRole('heading', { name: plan.title, level: 1 }).waitFor()
  await waitUntil('one plan was counted', () =>
    page.evaluate(() => localStorage.getItem('install_card') === '1'),
  )
  await page.reload()
  await card.getByRole('button', { name: /^(How to install|Install)$/ }).waitFor()
  await card.getByRole('button', { name: 'Not now' }).click()
  await card.waitFor({ state: 'detached' })
  await page.reload()
  await page.getByRole('heading', { name: plan.title, level: 1 }).waitFor()
  // The menu entry is always there.
  await page.keyboard.press('Control+k')
  await page.getByRole('option', { name: 'Install Cairn' }).click()
  await page.getByRole('dialog', { name: 'Install Cairn' }).waitFor()
  expect(await axeViolationsOf(page, 'installing')).toEqual([])
  expect(await card.count()).toBe(0)
})
