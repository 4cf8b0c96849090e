// Every screen of the app, by day and by night, on a phone and on a desk: no violation that axe
// knows, nothing to scroll sideways, and all of the main way without a mouse.
import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import {
  card,
  cardIn,
  composer,
  fillSignIn,
  pickOrganisation,
  planRow,
  post,
  readyForTheAir,
  SAVED,
} from './app.ts'
import { Person } from './person.ts'
import { setScene } from './scene.ts'
import { until } from './until.ts'

const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']
const WIDTHS = [360, 1280]
const SCHEMES = ['light', 'dark'] as const

/** Looks at the screen that is open in each look; what is wrong with it, in readable lines. */
async function faultsOf(page: Page, screen: string): Promise<string[]> {
  const faults: string[] = []
  for (const width of WIDTHS)
    for (const colorScheme of SCHEMES) {
      await page.setViewportSize({ width, height: 800 })
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
      const look = `${screen}, ${width} px, ${colorScheme}`
      await until(`${look}: the theme follows the system`, async () => {
        const scheme = await page.evaluate(
          () => getComputedStyle(document.documentElement).colorScheme,
        )
        return scheme.includes(colorScheme)
      })
      const { violations } = await new AxeBuilder({ page }).withTags(RULES).analyze()
      for (const { id, help, nodes } of violations)
        faults.push(`${look}: ${id} (${help}) at ${nodes.map(({ html }) => html).join(' | ')}`)
      const beyond = await page.evaluate(
        () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
      )
      if (beyond > 0) faults.push(`${look}: ${beyond} px beyond the edge`)
    }
  return faults
}

test('no violation on any screen in any state', async () => {
  const scene = await setScene()
  const { account, ada, browser, network, plan, url } = scene
  const page = await browser.open(url)
  const faults: string[] = []
  const look = async (screen: string) => {
    faults.push(...(await faultsOf(page, screen)))
  }

  await page.getByLabel('Email').waitFor()
  await look('sign-in')
  await page.getByRole('button', { name: 'Sign in' }).click()
  await look('sign-in, nothing filled in')
  await page.getByLabel('Email').fill(ada.email)
  await page.getByLabel('Password', { exact: true }).fill('not it')
  await page.getByRole('button', { name: 'Sign in' }).click()
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
  await readyForTheAir(page)
  await look('plans')
  await page.getByLabel('Search by title or account').fill('nothing like it')
  await page.getByText('No plan matches').waitFor()
  await look('plans, no match')
  await page.getByLabel('Search by title or account').fill('')
  await page.getByRole('button', { name: /Your menu/ }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).waitFor()
  await look('menu')
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
  await page.getByText('Please mend this first').waitFor()
  await look('new plan, with errors')
  await page.goto(`${url}/no/such/place`)
  await page.getByRole('heading', { name: 'Page Not Found' }).waitFor()
  await look('not found')

  await page.goto(`${url}/success-plans/${plan.id}`)
  await page.getByRole('heading', { name: plan.title, level: 1 }).waitFor()
  await look('plan')
  network.break(
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
}, 480_000)

test('no violation before there is anything', async () => {
  const { browser, server, url } = await setScene()
  const bob = await Person.register(server.url, 'Bob Tarn')
  const page = await browser.open(url)
  await fillSignIn(page, bob)
  await page.getByText('You belong to no organisation yet').waitFor()
  const faults = await faultsOf(page, 'organisations, none')
  await bob.found('Bare Hill')
  await page.reload()
  await pickOrganisation(page)
  await page.getByText('Set the first stone').waitFor()
  faults.push(...(await faultsOf(page, 'plans, none')))
  await page.goto(`${url}/accounts`)
  await page.getByText('No accounts yet').waitFor()
  faults.push(...(await faultsOf(page, 'accounts, none')))
  expect(faults).toEqual([])
})

/** Presses Tab until `target` has the focus, as somebody without a mouse does. */
async function tabTo(page: Page, target: ReturnType<Page['locator']>): Promise<void> {
  for (let presses = 0; presses < 60; presses += 1) {
    if (await target.evaluate((element) => element === document.activeElement)) return
    await page.keyboard.press('Tab')
  }
  throw new Error(`Sixty times Tab do not lead to ${String(target)}.`)
}

test('keyboard only: sign in, choose, open a plan, post an update', async () => {
  const { ada, browser, plan, url } = await setScene()
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
  await tabTo(page, organisation)
  await page.keyboard.press('Enter')
  await planRow(page, plan).waitFor()
  await tabTo(page, planRow(page, plan))
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: plan.title, level: 1 }).waitFor()
  await tabTo(page, composer(page))
  await page.keyboard.type('Posted without a mouse.')
  await page.keyboard.press('Control+Enter')
  await card(page, 'Posted without a mouse.').waitFor()
  await until('the server has it', async () => {
    const there = await ada.updatesSaying(plan, 'Posted without a mouse.')
    return there.length === 1
  })
  expect(await composer(page).evaluate((element) => element === document.activeElement)).toBe(true)
})
