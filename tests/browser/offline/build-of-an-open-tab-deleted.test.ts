// Two builds are deployed while a tab runs an older one, and the one between them was never opened: the files
// of the tab's build must stay on the device, as the server has them no more.
import { expect, test } from 'vitest'
import { openPlan, openPlans, pickOrganisation } from '../fixtures/app.ts'
import { createBrowserFixture } from '../fixtures/browser-fixture.ts'
import { buildNext, buildOf, statusesOfRemoved } from '../fixtures/next-build.ts'
import { waitUntil } from '../fixtures/wait-until.ts'

/** The builds of the app whose files are on the device. */
const CACHE = /^cairn-shell-/

test('a tab opens its screens after two deployments, from the files on the device', async () => {
  const unused = await buildNext('unused')
  const next = await buildNext('next')
  const scene = await createBrowserFixture({ usedBefore: true })
  const { browser, plan, server } = scene
  const page = await openPlans(scene)
  const oldTab = await browser.open(`${scene.url}/organisations`)
  await oldTab.getByRole('heading', { name: 'Choose an organisation' }).waitFor()
  const installed = () =>
    page.evaluate(async () => {
      const registration = await navigator.serviceWorker.ready
      await registration.update()
      return registration.installing === null && registration.waiting !== null
    })
  const builds = () => page.evaluate(async () => await caches.keys())
  const deploy = async (dist: string) => {
    const before = (await builds()).length
    await server.stop()
    await server.start({ dist })
    await waitUntil(
      'the new build is installed',
      async () => (await installed()) && (await builds()).length > before,
    )
  }
  await deploy(unused)
  await deploy(next)
  expect((await builds()).filter((name) => CACHE.test(name))).toHaveLength(3)
  await page.reload()
  await page.getByText('A new version is ready').waitFor()
  // Accepted again and again while the old worker stops: nothing may start that worker once more.
  await oldTab.evaluate(async () => {
    const { waiting } = await navigator.serviceWorker.ready
    setInterval(() => waiting?.postMessage({ type: 'SKIP_WAITING' }), 5)
  })
  await page.getByRole('button', { name: 'Update', exact: true }).click()
  await waitUntil('the new build runs', async () => {
    const build = await buildOf(page).catch(() => undefined)
    return build === 'next'
  })
  await waitUntil(
    'the files of the unused build are deleted',
    async () => (await builds()).filter((name) => CACHE.test(name)).length === 2,
  )

  const devtools = await browser.context.newCDPSession(oldTab)
  await devtools.send('Network.clearBrowserCache')
  expect(await statusesOfRemoved(oldTab, server.url, next)).toEqual({ there: [404], here: [200] })
  await pickOrganisation(oldTab)
  await openPlan(oldTab, plan)
  expect(await buildOf(oldTab)).toBe(undefined)
})
