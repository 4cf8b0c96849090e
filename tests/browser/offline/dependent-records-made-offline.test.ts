// Offline a user creates an account, a plan for it, an initiative with actions, and an update: all of
// them are shown and linked, and arrive once under their first ids.
import type { Locator, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import type { Account } from '../../../contract/schemas/accounts.ts'
import type { Action } from '../../../contract/schemas/actions.ts'
import type { Initiative } from '../../../contract/schemas/initiatives.ts'
import type { SuccessPlan } from '../../../contract/schemas/success-plans.ts'
import { card, openPlans, post } from '../fixtures/app.ts'
import type { ApiUser } from '../fixtures/api-user.ts'
import { createBrowserFixture } from '../fixtures/browser-fixture.ts'
import { isQueueEmpty } from '../fixtures/previous-app.ts'
import { waitUntil } from '../fixtures/wait-until.ts'
import { longTest } from '../../long-test.ts'

const [ACCOUNT, PLAN, INITIATIVE] = ['Quay Foods', 'Bring the kitchens on board', 'Train the cooks']
const ACTIONS = ['Book the training kitchen', 'Invite the cooks']
const UPDATE = 'The head chef is with us.'

const idIn = (page: Page) => new URL(page.url()).pathname.split('/').at(-1) ?? ''
const named = (page: Page, name: string) => page.getByRole('heading', { name, level: 1 }).waitFor()
const button = (at: Page | Locator, name: string) => at.getByRole('button', { name, exact: true })
const field = (at: Page | Locator, name: string) => at.getByRole('textbox', { name, exact: true })
const tab = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Parts of this plan' }).getByRole('link', { name })
const initiativeOf = (page: Page) => page.getByRole('article', { name: INITIATIVE })
const tick = (page: Page, title: string) => page.getByRole('checkbox', { name: `Done: ${title}` })

/** Creates the initiative with its actions on the open plan, and completes the first one. */
async function addWork(page: Page): Promise<void> {
  await tab(page, 'Work').click()
  await button(page, 'Add your first initiative').click()
  const dialog = page.getByRole('dialog')
  await field(dialog, 'Title').fill(INITIATIVE)
  await button(dialog, 'Add initiative').click()
  for (const title of ACTIONS) {
    const line = page.getByRole('textbox', { name: `Add an action to ${INITIATIVE}` })
    await line.fill(title)
    await line.press('Enter')
    await tick(page, title).waitFor()
  }
  await tick(page, ACTIONS[0] ?? '').click()
  await initiativeOf(page).getByText('1 of 2 done').waitFor()
}

const listed = async <T>(person: ApiUser, path: string): Promise<T[]> =>
  ((await person.call('GET', `/api/v1/${path}`)) as { data: T[] }).data

/** Waits until nothing is pending. */
const allSent = (page: Page) =>
  waitUntil('everything is sent', async () => {
    const waits = await page
      .getByText(
        /Not sent yet|Saved on this device|Waiting for|Sending|\bSent\b|\d waiting|Needs attention/,
      )
      .count()
    return waits === 0 && (await isQueueEmpty(page))
  })

test('an account, plan, initiative, actions and update made offline survive a reload and are sent once', async () => {
  const scene = await createBrowserFixture({ usedBefore: true })
  const { ada, server } = scene
  const page = await openPlans(scene)
  await server.stop()

  await page.getByRole('link', { name: 'Accounts' }).first().click()
  await page.getByRole('link', { name: 'New account' }).click()
  await field(page, 'Name').fill(ACCOUNT)
  await button(page, 'Add account').click()
  await named(page, ACCOUNT)
  const account_id = idIn(page)
  await page.getByRole('link', { name: 'New plan' }).last().click()
  await named(page, 'New success plan')
  await field(page, 'Title').fill(PLAN)
  await button(page, 'Create plan').click()
  await named(page, PLAN)
  const plan_id = idIn(page)
  await addWork(page)
  await tab(page, 'Updates').click()
  await post(page, UPDATE)
  await card(page, UPDATE).waitFor()

  await page.reload()
  await named(page, PLAN)
  await card(page, UPDATE).waitFor()
  await tab(page, 'Work 1 of 2 actions done').click()
  const initiative = initiativeOf(page)
  const initiative_id = await initiative.getAttribute('data-initiative')
  await initiative.getByRole('button').first().click()
  await waitUntil('the action is checked', () => tick(page, ACTIONS[0] ?? '').isChecked())
  expect(await tick(page, ACTIONS[1] ?? '').isChecked()).toBe(false)
  const action_ids = await page
    .locator('[data-action]')
    .evaluateAll((rows) => rows.map((row) => row.getAttribute('data-action')))
  await page.getByRole('link', { name: ACCOUNT }).click()
  await named(page, ACCOUNT)
  // Its actions are links as well, with its title.
  await page.locator(`[data-plan="${plan_id}"]`).click()
  await named(page, PLAN)
  const creates = scene.network.requests('POST', /^\/api/)
  expect(creates.filter(({ upstream }) => upstream !== undefined)).toEqual([])

  await server.start()
  await ada.signIn()
  await allSent(page)
  const accounts = await listed<Account>(ada, 'accounts?per_page=500')
  expect(accounts.filter(({ name }) => name === ACCOUNT).map(({ id }) => id)).toEqual([account_id])
  const plans = await listed<SuccessPlan>(ada, 'success-plans?per_page=500')
  expect(plans.filter(({ title }) => title === PLAN)).toMatchObject([
    { id: plan_id, account_id, actions_count: 2, actions_done_count: 1 },
  ])
  expect(await listed<Initiative>(ada, 'initiatives?per_page=500')).toMatchObject([
    { id: initiative_id, title: INITIATIVE, success_plan_id: plan_id, progress: 50 },
  ])
  expect(
    await listed<Action>(ada, `actions?filters[initiative_id]=${initiative_id}`),
  ).toMatchObject(
    ACTIONS.map((title, at) => ({
      id: action_ids[at],
      title,
      success_plan_id: plan_id,
      status: at === 0 ? 'done' : 'todo',
    })),
  )
  const plan = plans.find(({ id }) => id === plan_id)
  expect(plan && (await ada.updatesWithText(plan, UPDATE))).toHaveLength(1)
})

longTest(
  'dependants wait visibly while their plan is rejected, and are sent after it',
  async () => {
    const scene = await createBrowserFixture({ usedBefore: true })
    const { account, ada, plan: other, server } = scene
    const page = await openPlans(scene)
    await server.stop()
    await page.getByRole('link', { name: 'New plan' }).last().click()
    await named(page, 'New success plan')
    await field(page, 'Title').fill(PLAN)
    await page.getByLabel('Account', { exact: true }).selectOption(account.id)
    await button(page, 'Create plan').click()
    await named(page, PLAN)
    const plan_id = idIn(page)
    await addWork(page)
    // The page must not send before the others have used up the limit of the free plan.
    await scene.network.goDown()
    await server.start()
    await ada.signIn()
    for (let open = 3; open < 10; open += 1)
      await ada.createPlan({ title: `Plan ${open}`, type: 'project' })
    await scene.network.goUp()

    await page
      .getByText(/Needs attention/)
      .first()
      .waitFor()
    await waitUntil(
      'the initiative and its actions wait for the plan',
      async () => (await initiativeOf(page).getByText('Waiting for the plan').count()) === 3,
    )
    expect(await listed(ada, 'initiatives')).toEqual([])
    expect(await listed(ada, 'actions')).toEqual([])

    await ada.postUpdate(other, { status: 'cancelled', body: 'Room for another one.' })
    await button(page, 'Send again').click()
    await allSent(page)
    expect(await listed<Initiative>(ada, 'initiatives')).toMatchObject([
      { title: INITIATIVE, success_plan_id: plan_id, progress: 50 },
    ])
    const actions = await listed<Action>(ada, 'actions')
    expect(actions.map(({ title, status }) => [title, status])).toEqual([
      [ACTIONS[0], 'done'],
      [ACTIONS[1], 'todo'],
    ])
  },
)

longTest('an edit restored after a reload is merged with the changes of others', async () => {
  const scene = await createBrowserFixture({ usedBefore: true })
  const { ada, plan } = scene
  const page = await openPlans(scene)
  await page.goto(`${scene.url}/success-plans/${plan.id}?edit`)
  await field(page, 'Title').fill('Launch the workspace for all')
  await page.reload()
  await page.getByText('Draft restored').waitFor()
  const path = `/api/v1/success-plans/${plan.id}`
  await ada.call('PATCH', path, { description: 'Two workspaces, in the end.' })
  await button(page, 'Save changes').click()
  await named(page, 'Launch the workspace for all')
  await allSent(page)
  const { data } = (await ada.call('GET', path)) as { data: SuccessPlan }
  expect(data).toMatchObject({
    title: 'Launch the workspace for all',
    description: 'Two workspaces, in the end.',
  })
})
