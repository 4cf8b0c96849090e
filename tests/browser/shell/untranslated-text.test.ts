// The app in a pseudo-locale, in which the texts of all catalogues are in brackets: what a screen shows
// beside those, what people wrote, and numbers, dates and names, was not written into a catalogue.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ApiUser } from '../fixtures/api-user.ts'
import { waitForWorker } from '../fixtures/app.ts'
import { routesFor } from '../fixtures/app-routes.ts'
import { createBrowserFixture } from '../fixtures/browser-fixture.ts'
import { addMember } from '../fixtures/member-fixture.ts'
import { buildPseudoLocale, pseudo } from '../fixtures/pseudo-locale.ts'
import { accent } from '../fixtures/pseudo-text.ts'
import { KnownData, untranslatedTexts } from '../fixtures/visible-text.ts'
import { waitUntil } from '../fixtures/wait-until.ts'
import { sampleOf } from '../../sample.ts'
import { longTest } from '../../long-test.ts'

/** Routes on a phone, failed and offline outside of a long run; each is visited loaded in every run. */
const SAMPLE = 3

let folder = ''
let dist = ''
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cairn-pseudo-'))
  dist = await buildPseudoLocale(join(folder, 'app'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const READS = { method: 'GET', path: /^\/api\/v1\// }
const JSON_TYPE = { 'content-type': 'application/json' }
const button = (page: Page, name: string) =>
  page.getByRole('button', { name: pseudo(name), exact: true })

/** Waits until the screen, with all its parts loaded, is the same before and after the browser was idle. */
async function waitUntilIdle(page: Page): Promise<void> {
  let before = ''
  const loading = page.getByRole('status').filter({ hasText: accent('Loading') })
  await waitUntil('the screen is at rest', async () => {
    const now = await page.locator('body').innerText()
    const isAtRest = now === before && now.trim() !== '' && (await loading.count()) === 0
    before = now
    await page.evaluate(() => new Promise((resolve) => requestIdleCallback(resolve)).then(() => {}))
    return isAtRest
  })
}

/** Looks at the screens of a page, each under a name, and collects what is untranslated. */
class Reader {
  readonly data = new KnownData()
  readonly faults = new Set<string>()
  readonly page: Page

  constructor(page: Page) {
    this.page = page
  }

  /** What the server has: names and texts that people have written. */
  async addRecords(person: ApiUser): Promise<void> {
    for (const path of ['changes?since=0', 'userinfo', 'organisations', 'organisation-invites'])
      this.data.addAnswer(await person.call('GET', `/api/v1/${path}`))
  }

  async look(screen: string): Promise<void> {
    await waitUntilIdle(this.page)
    for (const fault of await untranslatedTexts(this.page, screen, this.data))
      this.faults.add(fault)
  }

  async visit(url: string, screen: string): Promise<void> {
    await this.page.goto(url)
    await this.page.locator('h1').first().waitFor()
    await this.look(screen)
  }

  /** Opens each menu of the screen, and with `choose` each of their items. */
  async openMenus(screen: string): Promise<void> {
    const { page } = this
    const openers = page.locator('[aria-haspopup=menu]:visible')
    for (let at = 0; at < Math.min(await openers.count(), 3); at += 1) {
      await openers.nth(at).click()
      await page.getByRole('menuitem').first().waitFor()
      await this.look(`${screen}, menu ${at + 1}`)
      await page.keyboard.press('Escape')
    }
  }
}

async function signIn(page: Page, person: ApiUser): Promise<void> {
  const form = page.locator('form').filter({ has: button(page, 'Sign in') })
  await form.locator('input[type=email]').fill(person.email)
  await form.locator('input[type=password]').fill(person.password)
  await button(page, 'Sign in').click()
}

async function pickOrganisation(page: Page): Promise<void> {
  await page
    .getByRole('list', { name: pseudo('Your organisations') })
    .getByRole('button')
    .first()
    .click()
  await page.waitForURL((url) => url.pathname !== '/organisations')
  await page.locator('h1').first().waitFor()
}

longTest('signing in and setting up show no text from outside the catalogues', async () => {
  const { browser, server, url } = await createBrowserFixture({ dist })
  const bob = await ApiUser.register(server.url, 'Bob Tarn')
  const page = await browser.open()
  const reader = new Reader(page)
  reader.data.add(bob.name, bob.email, 'bob.tarn@example.com')
  await reader.visit(`${url}/auth`, 'sign-in')
  await button(page, 'Sign in').click()
  await reader.look('sign-in, nothing filled in')
  await page.locator('input[type=email]').fill(bob.email)
  await page.locator('input[type=password]').fill('not it')
  await button(page, 'Sign in').click()
  await page.getByText(accent('do not match')).waitFor()
  await reader.look('sign-in, rejected')
  await reader.visit(`${url}/auth?forgotten`, 'forgotten password')
  await page.locator('input[type=email]').fill(bob.email)
  await button(page, 'Send the link').click()
  await page.getByRole('heading', { name: pseudo('Check your email') }).waitFor()
  await reader.look('forgotten password, sent')
  await reader.visit(`${url}/auth/registration`, 'registration')
  await button(page, 'Create account').click()
  await reader.look('registration, nothing filled in')
  await reader.visit(`${url}/auth/registration#invite_token=over`, 'invitation, no longer valid')
  await page.goto(`${url}/auth`)
  await signIn(page, bob)
  await page.getByText(pseudo('You do not belong to an organisation yet')).waitFor()
  await reader.look('organisations, none')
  await button(page, 'New organisation').click()
  await page.getByRole('dialog').waitFor()
  await reader.look('organisations, a new one')
  await bob.createOrganisation('Bare Hill')
  reader.data.add('Bare Hill')
  await page.goto(`${url}/organisations`)
  await pickOrganisation(page)
  for (const step of [
    'profile',
    'organisation',
    'invite',
    'first_account',
    'first_plan',
    'install',
    'ready',
  ])
    await reader.visit(`${url}/onboarding?step=${step}`, `onboarding, ${step}`)
  for (const path of ['/', '/success-plans', '/accounts', '/initiatives', '/templates'])
    await reader.visit(url + path, `${path}, empty`)
  expect([...reader.faults]).toEqual([])
})

longTest(
  'every route shows no text from outside the catalogues, loaded, failed and offline',
  async () => {
    const scene = await createBrowserFixture({ dist })
    const { account, ada, browser, network, plan, url } = scene
    await ada.call('POST', '/api/v1/organisation-invites', { email: 'ole@example.com' })
    await ada.call('POST', '/api/v1/templates', { from_success_plan_id: plan.id })
    const initiative = {
      title: 'Train the trainers',
      success_plan_id: plan.id,
      status: 'in-progress',
    }
    const { data } = (await ada.call('POST', '/api/v1/initiatives', initiative)) as {
      data: { id: string }
    }
    for (const due_date of ['2026-01-31', '2099-01-31'])
      await ada.call('POST', '/api/v1/actions', {
        title: 'Book a room',
        initiative_id: data.id,
        priority: 'high',
        due_date,
      })
    const page = await browser.open(`${url}/auth`)
    const reader = new Reader(page)
    await reader.addRecords(ada)
    reader.data.add('/no/such/place', `${url}/success-plans/${plan.id}`)
    await signIn(page, ada)
    await page.getByRole('list', { name: pseudo('Your organisations') }).waitFor()
    await pickOrganisation(page)
    const paths = routesFor(scene).in
    const details = [
      '/accounts?new',
      '/accounts?import',
      `/accounts/${account.id}?edit`,
      `/success-plans/${plan.id}?show=initiatives`,
      `/success-plans/${plan.id}?edit`,
      `/success-plans/${plan.id}?print`,
      '/success-plans?review',
      '/success-plans?import',
      '/success-plans?share_text=Shared',
      '/templates?new',
      '/settings',
      '/no/such/place',
    ]
    reader.data.add('Shared')
    for (const path of [...paths, ...details]) {
      await reader.visit(url + path, path)
      await reader.openMenus(path)
    }
    await page.setViewportSize({ width: 360, height: 800 })
    for (const path of sampleOf(paths, SAMPLE, 'phone'))
      await reader.visit(url + path, `${path}, on a phone`)
    await page.setViewportSize({ width: 1280, height: 800 })
    const recover = network.injectFault(READS, {
      kind: 'answered',
      status: 500,
      headers: JSON_TYPE,
      body: '{"message":"Server error."}',
    })
    for (const path of sampleOf(paths, SAMPLE, 'failed'))
      await reader.visit(url + path, `${path}, failed`)
    recover()
    await reader.visit(`${url}/success-plans`, '/success-plans')
    await page.getByText(accent('Up to date')).first().waitFor()
    await waitForWorker(page)
    await network.goDown()
    for (const path of sampleOf(paths, SAMPLE, 'offline'))
      await reader.visit(url + path, `${path}, offline`)
    expect([...reader.faults]).toEqual([])
  },
)

test('forms, dialogs, the palette and the states of an operation show no text from outside the catalogues', async () => {
  const { account, ada, browser, network, plan, url } = await createBrowserFixture({ dist })
  const page = await browser.open(`${url}/auth`)
  const reader = new Reader(page)
  await reader.addRecords(ada)
  await signIn(page, ada)
  await page.getByRole('list', { name: pseudo('Your organisations') }).waitFor()
  await pickOrganisation(page)
  const submit = async (path: string, name: string) => {
    await page.goto(url + path)
    await button(page, name).click()
    await page.getByText(pseudo('Please fix the following')).waitFor()
    await reader.look(`${path}, with errors`)
  }
  await submit('/success-plans/new', 'Create plan')
  await submit('/accounts?new', 'Add account')
  await submit('/templates?new', 'Create template')
  await reader.visit(url, 'home')
  await page.keyboard.press('Control+k')
  await page.getByRole('option').first().waitFor()
  await reader.look('palette')
  await page.getByRole('combobox').fill('harbour')
  reader.data.add('harbour')
  await page.getByRole('option', { name: /^Northwind Harbour/ }).waitFor()
  await reader.look('palette, results')
  await page.getByRole('combobox').fill('zzz')
  await reader.look('palette, no results')
  await page.keyboard.press('Escape')
  await page.keyboard.press('?')
  await page.getByRole('dialog').waitFor()
  await reader.look('keyboard shortcuts')

  await page.goto(`${url}/success-plans/${plan.id}`)
  const composer = page.getByRole('textbox', { name: pseudo('Update'), exact: true })
  const post = async (text: string) => {
    reader.data.add(text)
    await composer.fill(text)
    await button(page, 'Post update').click()
    await page.getByRole('article').filter({ hasText: text }).waitFor()
  }
  network.injectFault(
    { method: 'POST', path: /\/updates$/ },
    {
      kind: 'answered',
      status: 422,
      headers: JSON_TYPE,
      body: '{"message":"Invalid.","errors":{"body":["Name the customer."]}}',
    },
    1,
  )
  reader.data.add('Name the customer.')
  await post('This is rejected.')
  await page.getByText(pseudo('Needs attention')).first().waitFor()
  await reader.look('plan, needs attention')
  await browser.context.setOffline(true)
  await post('This waits.')
  await page.getByText(pseudo('Saved on this device')).first().waitFor()
  await reader.look('plan, offline')
  await page
    .getByRole('button', { name: new RegExp(accent('Sync')) })
    .first()
    .click()
  await page.getByRole('dialog').waitFor()
  await reader.look('sync panel')
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: new RegExp(accent('Your menu')) }).click()
  await page.getByRole('menuitem', { name: pseudo('Sign out') }).click()
  await page.getByRole('alertdialog').or(page.getByRole('dialog')).first().waitFor()
  await reader.look('sign-out with pending changes')
  await page.keyboard.press('Escape')
  await browser.context.setOffline(false)
  await page.goto(`${url}/accounts/${account.id}`)
  await page.getByRole('button', { name: new RegExp(`${accent('Edit')} Mira Stone`) }).click()
  await page.getByRole('dialog').waitFor()
  await reader.look('contact')
  await page.goto(`${url}/settings/organisation/general`)
  await button(page, 'Delete…').click()
  await page.getByRole('alertdialog').waitFor()
  await reader.look('deleting the organisation')
  expect([...reader.faults]).toEqual([])
})

longTest(
  'a question about a field, a review, an import and a change of plan show no text from outside the catalogues',
  async () => {
    const scene = await createBrowserFixture({ dist })
    const { ada, browser, plan, url } = scene
    const mia = await addMember(scene, 'Mia Okafor')
    const page = await browser.open(`${url}/auth`)
    const reader = new Reader(page)
    await signIn(page, ada)
    await page.getByRole('list', { name: pseudo('Your organisations') }).waitFor()
    await pickOrganisation(page)

    await page.goto(`${url}/success-plans/${plan.id}`)
    const composer = page.getByRole('textbox', { name: pseudo('Update'), exact: true })
    await composer.waitFor()
    await waitForWorker(page)
    await browser.context.setOffline(true)
    await page.getByRole('slider', { name: pseudo('Progress') }).fill('60')
    await composer.fill('Two more teams.')
    await button(page, 'Post update').click()
    await page.getByText(pseudo('Saved on this device')).first().waitFor()
    await mia.postUpdate(plan, { body: 'Seen from the office.', progress: 75 })
    await browser.context.setOffline(false)
    await page.getByRole('form', { name: new RegExp(accent('changed by someone else')) }).waitFor()
    await reader.addRecords(ada)
    reader.data.add('Two more teams.', 'Mia Okafor', '20%', '60%', '75%')
    await reader.look('plan, with a question')
    await page
      .getByRole('button', { name: new RegExp(accent('Sync')) })
      .first()
      .click()
    await page.getByRole('dialog').waitFor()
    await reader.look('sync panel, with a question')
    await page.keyboard.press('Escape')

    await page.goto(`${url}/success-plans?review`)
    await page.getByRole('button', { name: new RegExp(accent('Review')) }).click()
    await page.getByRole('heading', { level: 2 }).first().waitFor()
    await reader.look('review, a plan')

    const columns = ['Name', 'ARR', 'Renewal'].map(pseudo).join()
    const rows = Buffer.from(`${columns}\nKelp Works,9000,2026-12-31\n,1,soon\n`)
    reader.data.add('Kelp Works', 'soon', 'kelp.csv')
    await page.goto(`${url}/accounts?import`)
    await page
      .locator('input[type=file]')
      .setInputFiles({ name: 'kelp.csv', mimeType: 'text/csv', buffer: rows })
    await page.getByText(accent('can be added')).waitFor()
    await reader.look('accounts, an import before it is saved')

    await page.goto(`${url}/settings/organisation/plans`)
    await button(page, 'Upgrade to Professional').click()
    await button(page, 'Change to Free…').click()
    await page.getByRole('alertdialog').or(page.getByRole('dialog')).first().waitFor()
    await reader.look('back to the free plan')
    expect([...reader.faults]).toEqual([])
  },
)
