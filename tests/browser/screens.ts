// Takes pictures of the app with its demonstration data. `npm run screens` renews the two that the
// README shows; `npm run screens -- <folder>` takes every screen in every state, at three widths, by
// day and by night, into that folder, for people to judge.
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import type { Page } from 'playwright-core'
import { DEMO_PASSWORD, DEMO_PEOPLE } from '../../server/seed-words.ts'
import { cardIn, pickOrganisation, post, readyForTheAir, SAVED } from './app.ts'
import { buildApp } from './build-app.ts'
import { Chromium } from './chromium.ts'
import { FaultServer } from './fault-server.ts'
import { Server } from './server.ts'

const README_FOLDER = join(import.meta.dirname, '../../docs/screens')
const WIDTHS = { 360: 780, 768: 1024, 1280: 800 }
const SCHEMES = ['light', 'dark'] as const
const JSON_TYPE = { 'content-type': 'application/json' }

const [, , asked] = process.argv
const folder = await mkdtemp(join(tmpdir(), 'cairn-screens-'))
const dist = await buildApp(join(folder, 'app'))
const server = await Server.start({ dataDir: join(folder, 'data'), dist, demoData: true })
const network = await FaultServer.start(server.port)
const browser = await Chromium.start(join(folder, 'profile'), network.url)
try {
  const page = await browser.open(network.url)
  await page.emulateMedia({ reducedMotion: 'reduce' })
  const devtools = await browser.context.newCDPSession(page)
  await devtools.send('Emulation.setScrollbarsHidden', { hidden: true })
  await (asked === undefined ? forReadme(page) : ofEverything(page, resolve(asked)))
} finally {
  await browser.kill()
  await network.goDown()
  await server.stop()
  await rm(folder, { recursive: true, force: true, maxRetries: 5 })
}

async function signIn(page: Page): Promise<void> {
  await page.getByLabel('Email').fill(DEMO_PEOPLE[0].email)
  await page.getByLabel('Password', { exact: true }).fill(DEMO_PASSWORD)
  await page.getByRole('button', { name: 'Sign in' }).click()
}

async function forReadme(page: Page): Promise<void> {
  await mkdir(README_FOLDER, { recursive: true })
  await signIn(page)
  await pickOrganisation(page)
  await readyForTheAir(page)
  await page.setViewportSize({ width: 1280, height: 800 })
  await page.screenshot({ path: join(README_FOLDER, 'desktop.png') })
  await page.setViewportSize({ width: 390, height: 780 })
  await page.locator('[data-plan]').first().click()
  await browser.context.setOffline(true)
  await post(page, 'Go-live agreed for the first of the month. Training starts next week.')
  await cardIn(page, 'Go-live agreed', SAVED).waitFor()
  await page.getByRole('button', { name: /Sync: Offline/ }).waitFor()
  await page.getByRole('heading', { name: 'Updates' }).evaluate((heading) => {
    heading.scrollIntoView()
  })
  await page.screenshot({ path: join(README_FOLDER, 'phone.png') })
}

async function ofEverything(page: Page, into: string): Promise<void> {
  await mkdir(into, { recursive: true })
  const { url } = network
  const take = async (name: string) => {
    for (const [width, height] of Object.entries(WIDTHS))
      for (const colorScheme of SCHEMES) {
        await page.setViewportSize({ width: Number(width), height })
        await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
        await page.screenshot({ path: join(into, `${name}-${width}-${colorScheme}.png`) })
      }
  }
  const at = async (path: string, heading: RegExp) => {
    await page.goto(url + path)
    await page.getByRole('heading', { name: heading, level: 1 }).waitFor()
  }

  await page.getByLabel('Email').waitFor()
  await take('sign-in')
  network.break({ path: /^\/oauth/ }, { kind: 'lost' }, 1)
  await signIn(page)
  await page
    .getByText(/You are offline|did not answer/)
    .first()
    .waitFor()
  await take('sign-in-failed')
  await page.reload()
  await signIn(page)
  await page.getByRole('list', { name: 'Your organisations' }).waitFor()
  await take('organisations')
  await pickOrganisation(page)
  await readyForTheAir(page)
  await take('plans')
  const plan = await page.locator('[data-plan]').first().getAttribute('data-plan')
  await at('/success-plans?q=nothing+like+it', /Success plans/)
  await take('plans-no-match')
  await at('/success-plans/new', /New success plan/)
  await take('new-plan')
  await page.getByRole('button', { name: 'Create plan' }).click()
  await take('new-plan-errors')
  await at('/accounts', /Accounts/)
  await take('accounts')
  await page.getByRole('list', { name: 'Accounts' }).getByRole('link').first().click()
  await page.waitForURL(/\/accounts\/.+/)
  await take('account')
  await at('/no/such/place', /Page Not Found/)
  await take('not-found')
  await at(`/success-plans/${plan}`, /./)
  await take('plan')
  const refusal = { message: 'Invalid.', errors: { body: ['Name the customer.'] } }
  network.break(
    { method: 'POST', path: /\/updates$/ },
    { kind: 'answered', status: 422, headers: JSON_TYPE, body: JSON.stringify(refusal) },
    1,
  )
  await post(page, 'The steering group has met.')
  await cardIn(page, 'The steering group', 'Needs attention').waitFor()
  await take('plan-needs-attention')
  await browser.context.setOffline(true)
  await post(page, 'Written on the train back.')
  await cardIn(page, 'Written on the train', SAVED).waitFor()
  await take('plan-pending')
  await page.getByRole('button', { name: /Sync: / }).click()
  await page.getByRole('dialog', { name: 'Sync' }).waitFor()
  await take('sync-panel')
  await page.keyboard.press('Escape')
  await at('/success-plans', /Success plans/)
  await page.getByText(/Offline · as of/).waitFor()
  await take('plans-offline')
}
