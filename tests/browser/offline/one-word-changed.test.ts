// An update in which one word of the app differs: a device downloads the chunk with that word and little
// more, and every other file comes from the build that it has.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openPlan, openPlans } from '../fixtures/app.ts'
import { createBrowserFixture } from '../fixtures/browser-fixture.ts'
import { buildApp } from '../fixtures/build-app.ts'
import { waitUntil } from '../fixtures/wait-until.ts'
import { sampleOf } from '../../sample.ts'

const BUILD = /^\/assets\/(build-\w+)\//

let folder: string
let dist: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cairn-word-'))
  dist = await buildApp(join(folder, 'app'), [
    {
      file: 'src/features/success-plans/messages.ts',
      replace: 'No success plans yet',
      by: 'No success plans here',
    },
  ])
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const SERVERS = [
  // The chunk, the worker, the list of its files and the page.
  { what: 'at most 8 kB', keepsEarlier: true, countsChunk: true, bytes: 8_000 },
  // As in a browser without dictionaries.
  {
    what: 'one chunk and at most 12 kB more where the server has kept no earlier files',
    keepsEarlier: false,
    countsChunk: false,
    bytes: 12_000,
  },
]

test.for(sampleOf(SERVERS, 1, 'one word'))(
  'an update of one word downloads $what',
  async ({ keepsEarlier, countsChunk, bytes }) => {
    const scene = await createBrowserFixture({ usedBefore: true })
    const { browser, network, plan, server } = scene
    const page = await openPlans(scene)
    await server.stop()
    if (!keepsEarlier) await rm(join(server.dataDir, 'app-files'), { recursive: true })
    await server.start({ dist })
    const known = network.exchanges.length
    await page.evaluate(async () => (await navigator.serviceWorker.ready).update())
    await page.getByText('A new version is ready').waitFor()

    const loaded = network.exchanges
      .slice(known)
      .filter(({ path }) => !/^\/(api|oauth|config\.json|healthz)/.test(path))
    const chunks = loaded.filter(({ path }) => BUILD.test(path))
    expect(chunks.map(({ path }) => path.replace(BUILD, ''))).toEqual(['list.js'])
    const all = loaded
      .filter(({ path }) => countsChunk || !BUILD.test(path))
      .reduce((sum, one) => sum + one.bytes, 0)
    expect(all, JSON.stringify(loaded, null, 1)).toBeLessThanOrEqual(bytes)

    // The copied files belong to the new build alone, or its screens would mix two builds.
    const before = await buildsOf(page)
    await browser.context.setOffline(true)
    await page.getByRole('button', { name: 'Update', exact: true }).click()
    await waitUntil('the new build runs', async () => {
      const builds = await buildsOf(page).catch(() => before)
      return builds.length > 0 && !builds.includes(before[0] ?? '')
    })
    await openPlan(page, plan)
    expect(await buildsOf(page)).toHaveLength(1)
  },
)

/** The builds of which the page has loaded chunks. */
const buildsOf = (page: Awaited<ReturnType<typeof openPlans>>) =>
  page.evaluate(() => [
    ...new Set(
      performance
        .getEntriesByType('resource')
        .flatMap(({ name }) => /\/assets\/(build-\w+)\//.exec(name)?.[1] ?? []),
    ),
  ])
