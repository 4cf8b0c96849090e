// Address, password and sign-ins, as their user changes them.
import { expect, test } from 'vitest'
import { CLIENT } from '../../server/fixtures/api-fixture.ts'
import {
  cardIn,
  chooseSignOut,
  openPlan,
  openPlans,
  planRow,
  post,
  SAVED,
  signIn,
} from '../fixtures/app.ts'
import { addMember } from '../fixtures/member-fixture.ts'
import { createBrowserFixture } from '../fixtures/browser-fixture.ts'
import { isStored } from '../fixtures/readable-storage.ts'
import { mailedLink } from '../fixtures/mailed-link.ts'
import { waitUntil } from '../fixtures/wait-until.ts'
import { longTest } from '../../long-test.ts'
import { isLongRun } from '../../sample.ts'

longTest(
  'the address, the password and other sign-ins change in the profile, and a sign-out reaches the server',
  async () => {
    const scene = await createBrowserFixture()
    const { ada, url } = scene
    const page = await openPlans(scene)
    await page.goto(`${url}/settings/profile`)
    await page.getByText(`You sign in as ${ada.email}.`).waitFor()

    // The session that the fixture began, as that of a lost device.
    await page.getByRole('button', { name: 'Unknown device is lost' }).first().click()
    await page.getByText('When it is online next, it deletes').waitFor()
    await page.getByRole('button', { name: 'Sign it out and clear it' }).click()
    await page.getByText('Not online since, so not cleared yet').waitFor()

    // The address counts once its link was followed.
    await page.getByRole('button', { name: 'Change email address' }).click()
    await page.getByLabel('New email address').fill('ada.new@example.com')
    await page.getByRole('button', { name: 'Send the link', exact: true }).click()
    await page.getByText(`Until then you sign in as ${ada.email}.`).waitFor()
    await page.goto('about:blank')
    await page.goto(await mailedLink(scene, 'ada.new@example.com', 'email'))
    await page.getByText('You sign in as ada.new@example.com.').waitFor()
    expect(new URL(page.url()).hash).toBe('')

    // The password needs the present one, and the server's rules appear at their fields.
    await page.getByRole('button', { name: 'Change password' }).click()
    const present = page.getByLabel('Current password')
    await waitUntil('the form has the focus', () =>
      present.evaluate((input) => input === document.activeElement),
    )
    const submit = page.getByRole('button', { name: 'Change password' })
    const fill = async (now: string, next: string) => {
      await present.fill(now)
      await page.getByLabel('New password', { exact: true }).fill(next)
      await page.getByLabel('Repeat new password').fill(next)
      await submit.click()
    }
    await fill(ada.password, 'password1')
    await page.getByText('Many people use this password. Choose another one.').waitFor()
    await fill('not the present one', 'a higher ridge')
    await page.getByText('This is not your password.').waitFor()
    await fill(ada.password, 'a higher ridge')
    await page.getByText('Your password is changed. Your other devices are signed out.').waitFor()

    const rows = page.getByRole('list', { name: 'Sign-ins' }).getByRole('listitem')
    await waitUntil(
      'this device and the lost one are listed',
      async () => (await rows.count()) === 2,
    )

    const refresh_token = await page.evaluate(() => localStorage.getItem('refresh_token'))
    await chooseSignOut(page)
    await page.getByRole('heading', { name: 'Sign in', level: 1 }).waitFor()
    await waitUntil('the server has ended the session', async () => {
      const body = JSON.stringify({ ...CLIENT, grant_type: 'refresh_token', refresh_token })
      const headers = { 'Content-Type': 'application/json' }
      const answer = await fetch(`${scene.server.url}/oauth/token`, {
        method: 'POST',
        headers,
        body,
      })
      return answer.status === 400
    })
  },
)

test('a sign-out without a network ends the session on the server when the network returns', async () => {
  const scene = await createBrowserFixture({ usedBefore: true })
  const page = await openPlans(scene)
  const refresh_token = await page.evaluate(() => localStorage.getItem('refresh_token'))
  await scene.network.goDown()
  await chooseSignOut(page)
  await page.getByRole('heading', { name: 'Sign in', level: 1 }).waitFor()
  await scene.network.goUp()
  await page.evaluate(() => window.dispatchEvent(new Event('online')))
  await waitUntil('the server was asked to end the session', () =>
    scene.network.requests('POST', /^\/api\/v1\/revoke$/).some(({ status }) => status === 204),
  )
  const body = JSON.stringify({ ...CLIENT, grant_type: 'refresh_token', refresh_token })
  const headers = { 'Content-Type': 'application/json' }
  const answer = await fetch(`${scene.server.url}/oauth/token`, { method: 'POST', headers, body })
  expect(answer.status).toBe(400)
})

test('a lost device deletes what it has downloaded at its next contact, and says what waits on it', async () => {
  const scene = await createBrowserFixture({ usedBefore: true })
  const { ada, network, plan } = scene
  const page = await openPlans(scene)
  await openPlan(page, plan)
  await network.goDown()
  await post(page, 'Written before it was lost.')
  await cardIn(page, 'Written before it was lost.', SAVED).waitFor()
  await page.getByRole('textbox', { name: 'Update', exact: true }).fill('An unfinished sentence')
  await waitUntil('the draft is stored', () => isStored(page, 'An unfinished sentence'))

  // From another device.
  await ada.signIn()
  const list = async (state: string) =>
    (
      (await ada.call('GET', `/api/v1/sign-ins?filters[states][]=${state}`)) as {
        data: { id: string; device: string | null; unsent: number | null }[]
      }
    ).data
  const phone = (await list('active')).find(({ device }) => device !== null)
  await ada.call('POST', `/api/v1/sign-ins/${phone?.id}/lost`)

  const release = network.hold({ method: 'POST', path: /\/oauth\/token$/ })
  await network.goUp()
  await page.evaluate(() => window.dispatchEvent(new Event('online')))
  await waitUntil(
    'the device asks for tokens, and learns of it',
    () => network.requests('POST', /\/oauth\/token$/)[0],
  )
  // Text that is yet to be stored when the device is wiped.
  await page.getByRole('textbox', { name: 'Update', exact: true }).fill('A second thought')
  release()
  await page.getByRole('heading', { name: 'Sign in', level: 1 }).waitFor()
  await waitUntil('the server knows that one change waits', async () =>
    (await list('lost')).some(({ unsent }) => unsent === 1),
  )
  expect(await isStored(page, plan.title)).toBe(false)
  expect(await isStored(page, 'An unfinished sentence')).toBe(false)
  expect(await isStored(page, 'A second thought')).toBe(false)
  expect(await isStored(page, 'Written before it was lost.')).toBe(true)
})

/** Each opening of the database takes so long, after a crash for example. */
const slowStorage = (delayMs: number) =>
  Object.defineProperty(IDBOpenDBRequest.prototype, 'onsuccess', {
    set(this: IDBOpenDBRequest, listener: (event: Event) => void) {
      this.addEventListener('success', (event) => setTimeout(() => listener(event), delayMs))
    },
  })

test.for(isLongRun ? [0, 6_000] : [0])(
  'a device without contact for as long as its user chose shows nothing and keeps what is unsent, where its storage takes %i ms',
  async (storageMs) => {
    const scene = await createBrowserFixture({ usedBefore: true })
    const { browser, network, plan, url } = scene
    const page = await openPlans(scene)
    await openPlan(page, plan)
    await network.goDown()
    await post(page, 'Written before it was stolen.')
    await cardIn(page, 'Written before it was stolen.', SAVED).waitFor()
    await page.goto(`${url}/settings/profile`)
    await page.getByLabel('Forget me on this device after').selectOption('7')
    await page.getByText('This device forgets you after 7 days without contact').waitFor()
    // The first screen of the next start is stored.
    await page.goto(`${url}/success-plans`)
    await planRow(page, plan).waitFor()
    await page.goto('about:blank')
    await page.close()

    await browser.context.clock.install({ time: Date.now() + 8 * 86_400_000 })
    const shown: string[] = []
    await browser.context.exposeFunction('report', (text: string) => void shown.push(text))
    await browser.context.addInitScript(() => {
      const report = () =>
        (window as unknown as { report(text: string): void }).report(document.body?.innerText ?? '')
      new MutationObserver(report).observe(document, { childList: true, subtree: true })
    })
    await browser.context.addInitScript(slowStorage, storageMs)
    const later = await browser.open(`${url}/success-plans`)
    await later.getByText('This device had no contact with the server for 7 days').waitFor()
    await later.getByText('1 update is waiting on this device for you').waitFor()
    expect(shown.join('\n')).toContain('Sign in')
    expect(shown.join('\n')).not.toContain(plan.title)
    expect(await isStored(later, plan.title)).toBe(false)
    expect(await isStored(later, 'Written before it was stolen.')).toBe(true)
  },
)

longTest(
  'an account is deleted with its data on the device, after the owner’s organisation',
  async () => {
    const scene = await createBrowserFixture()
    const { url } = scene
    const page = await openPlans(scene)
    const remove = async () => {
      await page.goto(`${url}/settings/profile`)
      await page.getByRole('button', { name: 'Delete my account' }).click()
      const [file] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('button', { name: 'Download my data' }).click(),
      ])
      expect(file.suggestedFilename()).toBe('cairn-my-data.json')
      await page.getByRole('button', { name: 'Delete my account now' }).click()
    }
    await remove()
    await page.getByText(/You own “.*”\. Delete what you own first, in its settings\./).waitFor()
    await chooseSignOut(page)
    const mia = await addMember(scene, 'Mia Pass')
    await page.getByRole('heading', { name: 'Sign in', level: 1 }).waitFor()
    await signIn(page, url, mia)
    await remove()
    await page.getByRole('heading', { name: 'Sign in', level: 1 }).waitFor()
    expect(await isStored(page, mia.email)).toBe(false)
    await expect(mia.signIn()).rejects.toThrow(/400/)
  },
)
