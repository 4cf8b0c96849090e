// Takes the pictures that a browser shows before it installs the app, with the demonstration data:
// `npm run screenshots`. The results are committed; the manifest names them.
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DEMO_PASSWORD, DEMO_PEOPLE } from '../../../server/demo/stories.ts'
import { cardIn, pickOrganisation, post, waitForOfflineReady, SAVED } from '../fixtures/app.ts'
import { buildApp } from '../fixtures/build-app.ts'
import { Chromium } from '../fixtures/chromium.ts'
import { FaultProxy } from '../fixtures/fault-proxy.ts'
import { ServerProcess } from '../fixtures/server-process.ts'

const INTO = join(import.meta.dirname, '../../../public/screenshots')
const WIDE = { width: 1280, height: 800 }
const NARROW = { width: 390, height: 780 }

const folder = await mkdtemp(join(tmpdir(), 'cairn-screenshots-'))
const dist = await buildApp(join(folder, 'app'))
const server = await ServerProcess.start({ dataDir: join(folder, 'data'), dist, demoData: true })
const network = await FaultProxy.start(server.port)
const browser = await Chromium.start(join(folder, 'profile'), [network.url])
try {
  await mkdir(INTO, { recursive: true })
  const page = await browser.open(network.url)
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' })
  const devtools = await browser.context.newCDPSession(page)
  await devtools.send('Emulation.setScrollbarsHidden', { hidden: true })
  const take = (name: string) => page.screenshot({ path: join(INTO, `${name}.png`) })
  await page.getByLabel('Email').fill(DEMO_PEOPLE[0].email)
  await page.getByLabel('Password', { exact: true }).fill(DEMO_PASSWORD)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await pickOrganisation(page)
  await waitForOfflineReady(page)
  // One-time hints have been dismissed.
  await page.reload()
  await page.setViewportSize(WIDE)
  await page.locator('[data-plan]').first().waitFor()
  await page.getByText(/^Up to date/).waitFor()
  await take('plans-wide')
  await page.setViewportSize(NARROW)
  // Another size needs code of its own.
  await page.locator('[data-plan]').first().waitFor()
  await take('plans-narrow')
  await page.setViewportSize(WIDE)
  await page.locator('[data-plan]').nth(1).click()
  await page.getByRole('article').first().waitFor()
  await page.getByRole('heading', { name: 'Progress over time' }).waitFor()
  await take('plan-wide')
  await page.setViewportSize(NARROW)
  await browser.context.setOffline(true)
  await post(page, 'Go-live agreed for the first of the month. Training starts next week.')
  await cardIn(page, 'Go-live agreed', SAVED).waitFor()
  await page.getByRole('heading', { name: 'Updates' }).evaluate((heading) => {
    heading.scrollIntoView()
  })
  await take('plan-narrow')
} finally {
  await browser.kill()
  await network.goDown()
  await server.stop()
  await rm(folder, { recursive: true, force: true, maxRetries: 5 })
}
