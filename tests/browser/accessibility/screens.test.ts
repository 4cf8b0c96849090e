// Every screen of the app in light and dark, on a phone and on a desktop: no violation found by axe, no
// horizontal scrolling, and the main path without a mouse.
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import {
  SAVED,
  card,
  cardIn,
  composer,
  fillSignIn,
  openPlans,
  pickOrganisation,
  planRow,
  post,
  waitForOfflineReady,
} from '../fixtures/app.ts'
import { axeViolationsNow, axeViolationsOf } from '../fixtures/axe-violations.ts'
import { ApiUser } from '../fixtures/api-user.ts'
import { createBrowserFixture } from '../fixtures/browser-fixture.ts'
import { waitUntil } from '../fixtures/wait-until.ts'
import { longTest } from '../../long-test.ts'

test('sign-in, plans, accounts, error and sync screens have no axe violation', async () => {
  const scene = await createBrowserFixture()
  const { account, ada, browser, network, plan, url } = scene
  const page = await browser.open(url)
  const faults: string[] = []
  const look = async (screen: string) => {
    faults.push(...(await axeViolationsOf(page, screen)))
  }

  await page.getByLabel('Email').waitFor()
  await look('sign-in')
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.getByText('Enter your email address.').waitFor()
  await look('sign-in, nothing filled in')
  await page.getByLabel('Email').fill(ada.email)
  await page.getByLabel('Password', { exact: true }).fill('not it')
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.getByText(/do not match/).waitFor()
  await look('sign-in, refused')
  await fillSignIn(page, ada)
  await page.getByRole('list', { name: 'Your organisations' }).waitFor()
  await look('organisations')
  await page.getByRole('button', { name: 'New organisation' }).click()
  await page.getByRole('dialog').waitFor()
  await look('organisations, a new one')
  await page.keyboard.press('Escape')
  await pickOrganisation(page)
  await waitForOfflineReady(page)
  await look('plans')
  await page.getByLabel('Search by title, account or owner').fill('nothing like it')
  await page.getByText('No plans match').waitFor()
  await look('plans, no match')
  await page.getByLabel('Search by title, account or owner').fill('')
  await page.getByRole('button', { name: /Your menu/ }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).waitFor()
  // A window that changes its size closes the menu.
  faults.push(...(await axeViolationsNow(page, 'menu')))
  await page.getByRole('menuitem', { name: 'Sign out' }).waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('link', { name: 'Accounts' }).first().click()
  await page.getByRole('heading', { name: 'Accounts', level: 1 }).waitFor()
  await page
    .getByRole('link', { name: new RegExp(account.name) })
    .first()
    .waitFor()
  await look('accounts')
  await page.goto(`${url}/accounts/${account.id}`)
  await page.getByRole('heading', { name: account.name, level: 1 }).waitFor()
  await look('account')
  await page.goto(`${url}/success-plans/new`)
  await page.getByRole('button', { name: 'Create plan' }).click()
  await page.getByText('Please fix the following').waitFor()
  await look('new plan, with errors')
  await page.goto(`${url}/no/such/place`)
  await page.getByRole('heading', { name: 'Page Not Found' }).waitFor()
  await look('not found')

  await page.goto(`${url}/success-plans/${plan.id}`)
  await page.getByRole('heading', { name: plan.title, level: 1 }).waitFor()
  await look('plan')
  network.injectFault(
    { method: 'POST', path: /\/updates$/ },
    {
      kind: 'answered',
      status: 422,
      headers: { 'content-type': 'application/json' },
      body: '{"message":"Invalid.","errors":{"body":["Name the customer."]}}',
    },
    1,
  )
  await post(page, 'This is refused.')
  await cardIn(page, 'This is refused.', 'Needs attention').waitFor()
  await look('plan, needs attention')
  await browser.context.setOffline(true)
  await post(page, 'This waits.')
  await cardIn(page, 'This waits.', SAVED).waitFor()
  await look('plan, offline')
  await page.getByRole('button', { name: /Sync: Needs attention/ }).click()
  await page.getByRole('dialog', { name: 'Sync' }).waitFor()
  await look('sync panel')
  await page.keyboard.press('Escape')
  await page
    .getByRole('link', { name: /Success plans|Plans/ })
    .first()
    .click()
  await planRow(page, plan).waitFor()
  await look('plans, offline')
  expect(faults).toEqual([])
})

longTest('empty screens have no axe violation', async () => {
  const { browser, server, url } = await createBrowserFixture()
  const bob = await ApiUser.register(server.url, 'Bob Tarn')
  const page = await browser.open(url)
  await fillSignIn(page, bob)
  await page.getByText('You do not belong to an organisation yet').waitFor()
  const faults = await axeViolationsOf(page, 'organisations, none')
  await bob.createOrganisation('Bare Hill')
  await page.reload()
  await pickOrganisation(page)
  await page.getByText('No success plans yet').waitFor()
  faults.push(...(await axeViolationsOf(page, 'plans, none')))
  await page.goto(url)
  await page.getByRole('list', { name: 'First steps' }).waitFor()
  faults.push(...(await axeViolationsOf(page, 'home, nothing yet')))
  await page.goto(`${url}/templates`)
  await page.getByText('No templates yet').waitFor()
  faults.push(...(await axeViolationsOf(page, 'templates, none')))
  await page.goto(`${url}/accounts`)
  await page.getByText('No accounts yet').waitFor()
  faults.push(...(await axeViolationsOf(page, 'accounts, none')))
  await page.goto(`${url}/initiatives`)
  await page.getByText('No initiatives yet').waitFor()
  faults.push(...(await axeViolationsOf(page, 'initiatives, none')))
  expect(faults).toEqual([])
})

/** An initiative with two actions on the plan, made by a colleague. */
async function addPlanWork(ada: ApiUser, success_plan_id: string): Promise<void> {
  const path = '/api/v1/initiatives'
  const body = { title: 'Train the trainers', success_plan_id, status: 'in-progress' }
  const { data } = (await ada.call('POST', path, body)) as { data: { id: string } }
  for (const [at, title] of ['Book a room', 'Invite the teams'].entries())
    await ada.call('POST', '/api/v1/actions', {
      title,
      initiative_id: data.id,
      priority: 'high',
      due_date: at === 0 ? '2026-01-31' : '2099-01-31',
    })
}

longTest('editing plans, accounts and initiatives has no axe violation', async () => {
  const scene = await createBrowserFixture({ usedBefore: true })
  const { account, ada, plan, unopened, url } = scene
  await addPlanWork(ada, plan.id)
  const page = await openPlans(scene)
  const faults: string[] = []
  const look = async (screen: string) => {
    faults.push(...(await axeViolationsOf(page, screen)))
  }
  const inDialog = async (screen: string, opener: string | RegExp) => {
    await page.getByRole('button', { name: opener }).first().click()
    await page.getByRole('dialog').waitFor()
    await look(screen)
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
  }

  await page.goto(`${url}/accounts?new`)
  await page.getByRole('button', { name: 'Add account' }).click()
  await page.getByText('Please fix the following').waitFor()
  await look('new account, with errors')
  await page.goto(`${url}/accounts/${account.id}`)
  await inDialog('contact', /^Edit Mira Stone/)
  await page.getByRole('button', { name: /^More for/ }).click()
  await page.getByRole('menuitem', { name: 'Edit' }).waitFor()
  faults.push(...(await axeViolationsNow(page, 'menu of an account')))
  await page.getByRole('menuitem', { name: 'Edit' }).waitFor()
  await page.goto(`${url}/success-plans/${plan.id}?edit`)
  await page.getByRole('button', { name: 'Save changes' }).waitFor()
  await look('edit plan')
  await inDialog('new account for a plan', 'New account')
  await page.goto(`${url}/success-plans/${unopened.id}?show=initiatives`)
  await page.getByText('No initiatives yet').waitFor()
  await look('plan, no initiatives')
  await page.goto(`${url}/success-plans/${plan.id}?show=initiatives`)
  await page.getByRole('checkbox', { name: 'Done: Book a room' }).waitFor()
  await look('plan, initiatives')
  await inDialog('action', 'Edit “Book a room”')
  await inDialog('new initiative', 'New initiative')
  await page.getByRole('button', { name: 'More for “Train the trainers”' }).click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await page.getByRole('alertdialog').waitFor()
  await look('delete an initiative')
  await page.goto(`${url}/initiatives`)
  await page.getByRole('link', { name: 'Train the trainers' }).waitFor()
  await look('initiatives')
  await page.getByRole('link', { name: 'Train the trainers' }).click()
  await page.getByRole('checkbox', { name: 'Done: Book a room' }).waitFor()
  await look('an initiative')
  expect(faults).toEqual([])
})

longTest('home, the palette and templates have no axe violation', async () => {
  const scene = await createBrowserFixture({ usedBefore: true })
  const { ada, plan, url } = scene
  await addPlanWork(ada, plan.id)
  await ada.call('POST', '/api/v1/templates', { from_success_plan_id: plan.id })
  const page = await openPlans(scene)
  const faults: string[] = []
  const look = async (screen: string) => {
    faults.push(...(await axeViolationsOf(page, screen)))
  }

  await page.goto(url)
  await page.getByRole('heading', { name: /^What needs your attention/, level: 1 }).waitFor()
  await page.getByRole('heading', { name: 'Open plans by health' }).waitFor()
  await look('home')
  await page.getByRole('button', { name: 'Search and commands' }).click()
  await page.getByRole('option', { name: 'View success plans' }).waitFor()
  await look('palette')
  await page.getByRole('combobox').fill('harbour')
  await page.getByRole('option', { name: /^Northwind Harbour/ }).waitFor()
  await look('palette, results')
  await page.getByRole('combobox').fill('nothing like it')
  await page.getByText('No results').last().waitFor()
  await look('palette, nothing')
  await page.keyboard.press('Escape')
  await page.goto(`${url}/templates`)
  await page.getByRole('article', { name: plan.title }).getByRole('button').first().click()
  await page.getByRole('list', { name: /^What is in/ }).waitFor()
  await look('templates')
  await page.getByRole('link', { name: /^Use/ }).click()
  await page.getByRole('list', { name: 'What this template adds' }).waitFor()
  await look('new plan from a template')
  await page.goto(`${url}/templates?new`)
  await page.getByRole('button', { name: 'Add initiative' }).click()
  await page.getByRole('button', { name: 'Add action' }).click()
  await page.getByRole('button', { name: 'Create template' }).click()
  await page.getByText('Please fix the following').waitFor()
  await look('new template, with errors')
  expect(faults).toEqual([])
})

longTest('reviews, imports and print sheets have no axe violation', async () => {
  const scene = await createBrowserFixture({ usedBefore: true })
  const { ada, plan, url } = scene
  await ada.postUpdate(plan, {
    body: '- **One**\n- `two`, see https://example.com\n\n```\nthree\n```',
  })
  const page = await openPlans(scene)
  const faults: string[] = []
  const look = async (screen: string) => {
    faults.push(...(await axeViolationsOf(page, screen)))
  }
  await page.getByRole('link', { name: 'Review', exact: true }).click()
  await page.getByRole('button', { name: 'Review 1 plan' }).waitFor()
  await look('review, which plans')
  await page.getByRole('button', { name: 'Review 1 plan' }).click()
  await page.getByText('Twelve of fifteen').waitFor()
  await look('review, a plan')
  await page.getByRole('button', { name: /^No change/ }).click()
  await page.getByText('All changes sent.').waitFor()
  await look('review, done')
  await page.goto(`${url}/success-plans/${plan.id}`)
  await page.getByText('Progress over time').waitFor()
  await look('plan, with markup and a chart')
  await page.goto(`${url}/success-plans/${plan.id}?print`)
  await page.getByRole('button', { name: 'Print' }).waitFor()
  await look('print sheet')
  await page.goto(`${url}/accounts?import`)
  await page.getByLabel('CSV file').waitFor()
  await look('import')
  await page.getByLabel('CSV file').setInputFiles({
    name: 'accounts.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from('Name,ARR,Fax\nSouthwind Yards,5,1\nNorthwind Harbour,5,1\nWrong,many,1'),
  })
  await page.getByText('1 account can be added').waitFor()
  await look('import, looked at')
  await page.getByRole('button', { name: 'Add 1 account' }).click()
  await page.getByText('All rows are sent.').waitFor()
  await look('import, done')
  expect(faults).toEqual([])
})

const hasFocus = (target: ReturnType<Page['locator']>) =>
  target.evaluate((element) => element === document.activeElement)

/** Presses Tab until `target` has the focus. */
async function tabTo(page: Page, target: ReturnType<Page['locator']>): Promise<void> {
  for (let presses = 0; presses < 60; presses += 1) {
    if (await hasFocus(target)) return
    await page.keyboard.press('Tab')
  }
  throw new Error(`Sixty times Tab do not lead to ${String(target)}.`)
}

/** Waits until the heading of the screen has taken the focus, or it would take it from what is tabbed to. */
const isAnnounced = (page: Page, heading: string | RegExp) =>
  waitUntil(`“${String(heading)}” has the focus`, () =>
    hasFocus(page.getByRole('heading', { name: heading, level: 1 })),
  )

test('signing in, opening a plan and posting an update work by keyboard alone', async () => {
  const { ada, browser, plan, url } = await createBrowserFixture()
  const page = await browser.open(url)
  const email = page.getByLabel('Email')
  await email.waitFor()
  await tabTo(page, email)
  await page.keyboard.type(ada.email)
  await tabTo(page, page.getByLabel('Password', { exact: true }))
  await page.keyboard.type(ada.password)
  await page.keyboard.press('Enter')
  const organisation = page
    .getByRole('list', { name: 'Your organisations' })
    .getByRole('button')
    .first()
  await organisation.waitFor()
  await isAnnounced(page, 'Choose an organisation')
  await tabTo(page, organisation)
  await page.keyboard.press('Enter')
  const toPlans = page.getByRole('link', { name: 'Success plans' })
  await isAnnounced(page, /^What needs your attention/)
  await tabTo(page, toPlans)
  await page.keyboard.press('Enter')
  await isAnnounced(page, 'Success plans')
  await planRow(page, plan).waitFor()
  await tabTo(page, planRow(page, plan))
  await page.keyboard.press('Enter')
  await isAnnounced(page, plan.title)
  await tabTo(page, composer(page))
  await page.keyboard.type('Posted without a mouse.')
  await page.keyboard.press('Control+Enter')
  await card(page, 'Posted without a mouse.').waitFor()
  await waitUntil('the server has it', async () => {
    const stored = await ada.updatesWithText(plan, 'Posted without a mouse.')
    return stored.length === 1
  })
  expect(await hasFocus(composer(page))).toBe(true)
})

test('completing, moving and adding actions work by keyboard alone and keep the focus', async () => {
  const scene = await createBrowserFixture({ usedBefore: true })
  const { ada, plan, url } = scene
  await addPlanWork(ada, plan.id)
  const page = await openPlans(scene)
  await page.goto(`${url}/success-plans/${plan.id}?show=initiatives`)
  const tick = page.getByRole('checkbox', { name: 'Done: Book a room' })
  const handle = page.getByRole('button', { name: 'Move “Book a room”' })
  const add = page.getByRole('textbox', { name: /^Add an action/ })
  await tick.waitFor()
  await tabTo(page, tick)
  await page.keyboard.press('Space')
  await page.getByText('1 of 2 done').waitFor()
  expect(await hasFocus(tick)).toBe(true)
  await tabTo(page, handle)
  await page.keyboard.press('ArrowDown')
  await page.getByText('“Book a room” is now 2 of 2').waitFor()
  const order = () =>
    page
      .locator('[data-action]')
      .getByRole('checkbox')
      .evaluateAll((boxes) => boxes.map((box) => box.getAttribute('aria-label')))
  await waitUntil('the action is below', async () => (await order()).at(-1) === 'Done: Book a room')
  await waitUntil('the handle has the focus again', () => hasFocus(handle))
  await page.keyboard.press('ArrowUp')
  await waitUntil('the action is above', async () => (await order())[0] === 'Done: Book a room')
  await waitUntil('the handle has the focus', () => hasFocus(handle))
  await tabTo(page, add)
  await page.keyboard.type('Print the handouts')
  await page.keyboard.press('Enter')
  await page.getByRole('checkbox', { name: 'Done: Print the handouts' }).waitFor()
  expect(await hasFocus(add)).toBe(true)
})
