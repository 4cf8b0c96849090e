// Settings whose data does not arrive: each says what is missing, what has not changed and what to do.
import { test } from 'vitest'
import { signIn, waitForOfflineReady } from '../fixtures/app.ts'
import { createBrowserFixture } from '../fixtures/browser-fixture.ts'
import { longTest } from '../../long-test.ts'

const SCREENS = [
  {
    path: '/settings/organisation/members',
    title: 'The members could not be loaded',
    text: 'No one was added or removed.',
    loaded: 'Invite someone',
  },
  {
    path: '/settings/organisation/billing',
    title: 'The subscription could not be loaded',
    text: 'Your plan has not changed',
    loaded: 'Usage',
  },
  {
    path: '/settings/notifications',
    title: 'Your choices could not be loaded',
    text: 'Nothing has changed',
    loaded: 'Success plans',
  },
]

longTest(
  'members, billing and notifications say what a failure means, and load when asked again',
  async () => {
    const { ada, browser, network, url } = await createBrowserFixture()
    const page = await browser.open()
    const reads = { method: 'GET', path: /^\/api\/v1\/(?!organisations|userinfo)/ }
    const fail = () =>
      network.injectFault(reads, {
        kind: 'answered',
        status: 500,
        headers: { 'content-type': 'application/json' },
        body: '{"message":"Server error."}',
      })
    let recover = fail()
    await signIn(page, url, ada)
    for (const { path, title, text, loaded } of SCREENS) {
      await page.goto(url + path)
      await page.getByRole('heading', { name: title }).waitFor()
      await page.getByText(text).waitFor()
      // Held until the button is pressed: the app reads again by itself, too.
      const release = network.hold(reads)
      recover()
      await page.getByRole('button', { name: 'Try again' }).click()
      release()
      await page.getByRole('heading', { name: title }).waitFor({ state: 'detached' })
      await page.getByRole('heading', { name: loaded }).waitFor()
      recover = fail()
    }
  },
)

test('offline, what was never loaded says how it gets here', async () => {
  const { ada, browser, url } = await createBrowserFixture()
  const page = await browser.open()
  await signIn(page, url, ada)
  await waitForOfflineReady(page)
  await browser.context.setOffline(true)
  await page.goto(`${url}/settings/organisation/billing`)
  await page.getByRole('heading', { name: 'The subscription is not on this device yet' }).waitFor()
  await page.getByText('Connect once to see it.').waitFor()
})
