// Access to routes: the guards of the specification, and the return path.
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import {
  composer,
  fillSignIn,
  pickOrganisation,
  waitForOfflineReady,
  signIn,
} from '../fixtures/app.ts'
import { createBrowserFixture } from '../fixtures/browser-fixture.ts'
import { longTest } from '../../long-test.ts'

longTest(
  'guards lead through sign-in and the organisation to the requested screen; unknown paths are not found',
  async () => {
    const scene = await createBrowserFixture()
    const { ada, plan, url } = scene
    const page = await scene.browser.open(`${url}/success-plans/${plan.id}`)
    await page.getByLabel('Email').waitFor()
    expect(new URL(page.url()).pathname).toBe('/auth')

    // Signed in, and no organisation yet: first the picker, then the requested route.
    await fillSignIn(page, ada)
    await page.getByRole('heading', { name: 'Choose an organisation' }).waitFor()
    expect(new URL(page.url()).pathname).toBe('/organisations')
    await page.goto(`${url}/accounts`)
    await page.getByRole('heading', { name: 'Choose an organisation' }).waitFor()
    expect(new URL(page.url()).pathname).toBe('/organisations')
    await page.goto(`${url}/success-plans/${plan.id}`)
    await page.getByRole('list', { name: 'Your organisations' }).getByRole('button').first().click()
    await page.getByRole('heading', { name: plan.title, level: 1 }).waitFor()
    expect(new URL(page.url()).pathname).toBe(`/success-plans/${plan.id}`)

    await page.goto(`${url}/no/such/place?of=mine#here`)
    await page.getByRole('heading', { name: 'Page Not Found' }).waitFor()
    await page.getByText('/no/such/place?of=mine#here').waitFor()
  },
)

longTest('a user without an active organisation is asked to choose one', async () => {
  const { ada, browser, url } = await createBrowserFixture()
  const page = await browser.open(url)
  await fillSignIn(page, ada)
  await page.getByRole('heading', { name: 'Choose an organisation' }).waitFor()
  await page.goto(`${url}/success-plans`)
  await page.getByRole('heading', { name: 'Choose an organisation' }).waitFor()
  await pickOrganisation(page)
  await waitForOfflineReady(page)
})

test('a return path to another origin is ignored', async () => {
  const { ada, browser, url } = await createBrowserFixture()
  const page = await browser.open(`${url}/auth?redirect=//example.com/steal`)
  await fillSignIn(page, ada)
  await pickOrganisation(page)
  expect(new URL(page.url()).origin).toBe(url)
  expect(await composer(page).count()).toBe(0)
})

longTest(
  'redirect rules apply to navigation and full loads, with and without a network',
  async () => {
    const help = createServer((_request, response) => {
      response.setHeader('Content-Type', 'text/html')
      response.end('<h1>External help</h1>')
    }).listen(0, '127.0.0.1')
    await once(help, 'listening')
    onTestFinished(() => {
      help.close()
      help.closeAllConnections()
    })
    const elsewhere = `http://127.0.0.1:${(help.address() as AddressInfo).port}`
    const REDIRECTS = JSON.stringify([
      { from: '/customers', to: '/accounts?from=rule' },
      { from: '/help', to: `${elsewhere}/start`, external: true },
    ])
    const { ada, browser, network, url } = await createBrowserFixture({
      env: { REDIRECTS },
      origins: [elsewhere],
    })
    const page = await browser.open()
    await signIn(page, url, ada)
    await waitForOfflineReady(page)

    await page.goto(`${url}/success-plans`)
    await page.goto(`${url}/customers`)
    await page.getByRole('heading', { name: 'Accounts', level: 1 }).waitFor()
    expect(page.url()).toBe(`${url}/accounts?from=rule`)
    await page.goto(`${url}/help`)
    await page.getByRole('heading', { name: 'External help' }).waitFor()
    expect(page.url()).toBe(`${elsewhere}/start`)
    // The route that redirected here is not in the history.
    await page.goBack({ waitUntil: 'commit' })
    expect(page.url()).toBe(`${url}/accounts?from=rule`)

    await network.goDown()
    await page.goto(`${url}/success-plans`)
    await page.goto(`${url}/customers`)
    await page.getByRole('heading', { name: 'Accounts', level: 1 }).waitFor()
    expect(page.url()).toBe(`${url}/accounts?from=rule`)
  },
)
