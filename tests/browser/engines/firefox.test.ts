// Firefox: killed after “Saved on this device”, it starts without a network with everything stored, and
// sends what is pending exactly once. It has no static routing, so that after an app update the worker itself has to
// find the files of a tab that still runs the build before.
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import {
  card,
  cardIn,
  composer,
  openPlan,
  pickOrganisation,
  planRow,
  waitForOfflineReady,
  SAVED,
} from '../fixtures/app.ts'
import { UPDATES_PATH } from '../fixtures/open-plan-fixture.ts'
import { Firefox } from '../fixtures/firefox.ts'
import { createBrowserFixtureWith } from '../fixtures/browser-fixture.ts'
import { buildNext, buildOf, statusesOfRemoved } from '../fixtures/next-build.ts'
import { HISTORY } from '../screenshots/demo-team.ts'
import { waitUntil } from '../fixtures/wait-until.ts'

const TEXT = 'Written in the tunnel.'

const inFirefox = () =>
  createBrowserFixtureWith((profile, origins, complaints) =>
    Firefox.start(profile, origins, complaints),
  )

/** Opens the list of plans, signed in and with everything stored. */
async function openWholePlans({ browser, url, ada }: Awaited<ReturnType<typeof inFirefox>>) {
  const page = await browser.open(`${url}/success-plans`)
  // Real key presses: React does not notice a value that the driver sets at once in this browser.
  await page.getByLabel('Email').pressSequentially(ada.email)
  await page.getByLabel('Password', { exact: true }).pressSequentially(ada.password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await pickOrganisation(page)
  await waitForOfflineReady(page)
  return page
}

test('Firefox keeps plans and a pending update after a kill offline, and sends it once', async () => {
  const scene = await inFirefox()
  const { ada, network, plan, unopened, url } = scene
  const page = await openWholePlans(scene)
  await openPlan(page, plan)
  await network.goDown()
  await composer(page).pressSequentially(TEXT)
  await page.getByRole('button', { name: 'Post update' }).click()
  await cardIn(page, TEXT, SAVED).waitFor()
  await scene.restartBrowser()

  const restarted = await scene.browser.open(`${url}/success-plans`)
  await restarted
    .getByText(/Offline · as of/)
    .first()
    .waitFor()
  await planRow(restarted, plan).waitFor()
  await openPlan(restarted, unopened)
  await restarted.getByText(HISTORY.unopened).waitFor()
  await restarted.goto(`${url}/success-plans/${plan.id}`)
  await cardIn(restarted, TEXT, SAVED).waitFor()

  // The first answer is lost.
  network.injectFault({ method: 'POST', path: UPDATES_PATH }, { kind: 'answer-lost' }, 1)
  await network.goUp()
  await waitUntil(
    'the server has it',
    async () => (await ada.updatesWithText(plan, TEXT)).length > 0,
  )
  const answers = () => network.requests('POST', UPDATES_PATH).map(({ status }) => status)
  await waitUntil('the update is answered', () => answers().includes(201))
  await cardIn(restarted, TEXT, SAVED).waitFor({ state: 'detached' })
  await card(restarted, TEXT).waitFor()
  expect(answers()).toEqual([undefined, 201])
  expect(await ada.updatesWithText(plan, TEXT)).toHaveLength(1)
})

/** Whether a new worker waits to replace the one of the present build. */
const isUpdateReady = (page: Page) =>
  page.evaluate(async () => {
    const registration = await navigator.serviceWorker.ready
    await registration.update()
    return registration.waiting !== null
  })

test('in Firefox a tab of the build before an app update opens its screens', async () => {
  const next = await buildNext()
  const scene = await inFirefox()
  const { browser, plan, server } = scene
  const page = await openWholePlans(scene)
  const oldTab = await browser.open(`${scene.url}/organisations`)
  await oldTab.getByRole('heading', { name: 'Choose an organisation' }).waitFor()
  await server.stop()
  await server.start({ dist: next })
  await waitUntil('the new build is installed', () => isUpdateReady(page))
  await page.getByRole('button', { name: 'Update', exact: true }).click()
  await waitUntil('the new build runs', async () => {
    const build = await buildOf(page).catch(() => undefined)
    return build === 'next'
  })

  expect(await statusesOfRemoved(oldTab, server.url, next)).toEqual({ there: [404], here: [200] })
  await pickOrganisation(oldTab)
  await openPlan(oldTab, plan)
  expect(await buildOf(oldTab)).toBe(undefined)
})
