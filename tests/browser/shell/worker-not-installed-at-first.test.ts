// A file of the app was not answered once while the worker was installed: the app did not work offline before its next
// start.
import { expect, test } from 'vitest'
import { waitForWorker } from '../fixtures/app.ts'
import { createBrowserFixture } from '../fixtures/browser-fixture.ts'
import { waitUntil } from '../fixtures/wait-until.ts'

test('an installation that failed is made up for when the browser is online again', async () => {
  const { browser, network, url } = await createBrowserFixture({ newDevice: true })
  const part = /\/assets\/.*profile-screen.*\.js$/
  network.injectFault({ path: part }, { kind: 'answered', status: 503, body: '' }, 1)
  const page = await browser.open()
  const warnings: string[] = []
  page.on('console', (message) => {
    if (message.type() === 'warning') warnings.push(message.text())
  })
  await page.goto(`${url}/auth`)
  await waitUntil('the page says that the worker was not installed', () =>
    warnings.some((text) => text.startsWith('The app could not be stored.')),
  )
  expect(
    await page.evaluate(async () => (await navigator.serviceWorker.getRegistrations()).length),
  ).toBe(0)

  await browser.context.setOffline(true)
  await browser.context.setOffline(false)
  await waitForWorker(page)
  await network.goDown()
  await page.reload()
  await page.getByLabel('Email').waitFor()
})
