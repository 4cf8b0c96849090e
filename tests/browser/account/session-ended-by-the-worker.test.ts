// The worker ended the session of a lost device while no tab was open: the next start showed the last screen, from
// localStorage, before it learned of that, and notifications stayed.
import type { Worker } from 'playwright-core'
import { expect, test } from 'vitest'
import { cardIn, openPlan, openPlans, planRow, post, SAVED } from '../fixtures/app.ts'
import { createBrowserFixture } from '../fixtures/browser-fixture.ts'
import { ClosedApp } from '../fixtures/closed-app.ts'
import { isStored } from '../fixtures/readable-storage.ts'
import { waitUntil } from '../fixtures/wait-until.ts'

interface WorkerScope {
  registration: ServiceWorkerRegistration
}

const notify = (worker: Worker, title: string) =>
  worker.evaluate(
    (text) =>
      (self as unknown as WorkerScope).registration.showNotification(text, {
        requireInteraction: true,
      }),
    title,
  )

const shownTitles = (worker: Worker) =>
  worker.evaluate(async () => {
    const all = await (self as unknown as WorkerScope).registration.getNotifications()
    return all.map(({ title }) => title)
  })

test('a lost device whose worker learns of it shows nothing at the next start, without a network', async () => {
  const scene = await createBrowserFixture({ usedBefore: true, fullBrowser: true })
  const { ada, browser, network, plan, url } = scene
  await browser.context.grantPermissions(['notifications'], { origin: url })
  const page = await openPlans(scene)
  await openPlan(page, plan)
  await network.goDown()
  await post(page, 'Written before it was lost.')
  await cardIn(page, 'Written before it was lost.', SAVED).waitFor()
  // The first screen of the next start is stored.
  await page.goto(`${url}/success-plans`)
  await planRow(page, plan).waitFor()
  await page.goto('about:blank')
  const worker = await waitUntil('the worker runs', () => browser.context.serviceWorkers()[0])
  await notify(worker, plan.title)
  const app = await ClosedApp.close(browser, url)

  // From another device.
  await ada.signIn()
  const { data } = (await ada.call('GET', '/api/v1/sign-ins?filters[states][]=active')) as {
    data: { id: string; device: string | null }[]
  }
  const phone = data.find(({ device }) => device !== null)
  await ada.call('POST', `/api/v1/sign-ins/${phone?.id}/lost`)
  await network.goUp()
  expect(await shownTitles(worker)).toEqual([plan.title])
  await app.callWorker(true)
  await waitUntil('the worker leaves a mark', async () =>
    (await browser.context.cookies(url)).some(({ name }) => name === 'session_ended'),
  )
  await waitUntil('the worker closes the notification', async () => {
    const [running] = browser.context.serviceWorkers()
    return running !== undefined && (await shownTitles(running)).length === 0
  })

  await network.goDown()
  const shown: string[] = []
  await browser.context.exposeFunction('report', (text: string) => void shown.push(text))
  await browser.context.addInitScript(() => {
    const report = () =>
      (window as unknown as { report(text: string): void }).report(document.body?.innerText ?? '')
    new MutationObserver(report).observe(document, { childList: true, subtree: true })
  })
  const later = await browser.open(`${url}/success-plans`)
  await later.getByRole('heading', { name: 'Sign in', level: 1 }).waitFor()
  expect(shown.join('\n')).toContain('Sign in')
  expect(shown.join('\n')).not.toContain(plan.title)
  expect(await isStored(later, plan.title)).toBe(false)
  expect(await later.evaluate(() => localStorage.getItem('access_token'))).toBeNull()
  expect(await isStored(later, 'Written before it was lost.')).toBe(true)
  // Once seen it is gone: the next start need not wait.
  expect(await later.evaluate(() => document.cookie)).not.toContain('session_ended')
  expect(await later.evaluate(() => localStorage.getItem('forget_at'))).toBeNull()
})
