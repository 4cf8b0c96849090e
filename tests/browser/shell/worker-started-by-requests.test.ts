// The API's requests pass the service worker, which starts with each of them: a worker that is to be
// replaced would go on running as long as the app is used.
import { expect, test } from 'vitest'
import { openPlans } from '../fixtures/app.ts'
import { createBrowserFixture } from '../fixtures/browser-fixture.ts'
import { ClosedApp } from '../fixtures/closed-app.ts'
import { waitUntil } from '../fixtures/wait-until.ts'

test('requests of the app do not start the worker, a navigation does', async () => {
  const scene = await createBrowserFixture({ usedBefore: true })
  const { browser, network } = scene
  const page = await openPlans(scene)
  const blank = await browser.open()
  const devtools = await browser.context.newCDPSession(blank)
  const states: string[] = []
  devtools.on('ServiceWorker.workerVersionUpdated', ({ versions }) =>
    states.push(...versions.map((one) => one.runningStatus)),
  )
  await devtools.send('ServiceWorker.enable')
  const worker = await ClosedApp.attach(browser, scene.url, blank)
  await worker.stopWorker()
  await waitUntil('the worker is stopped', () => states.at(-1) === 'stopped')
  states.length = 0

  const before = network.requests('GET', /\/changes/).length
  await page.getByRole('button', { name: 'Refresh' }).click()
  await network.waitForRequests('GET', /\/changes/, before + 1)
  // The browser may report the same state more than once.
  expect(states.filter((one) => one !== 'stopped')).toEqual([])
  await page.reload()
  await waitUntil('the worker runs', () => states.includes('running'))
})
