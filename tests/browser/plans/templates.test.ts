// Templates: created, saved from a plan, used offline, deleted.
import { expect, test } from 'vitest'
import {
  chooseFromMenu,
  openPlan,
  openPlans,
  post,
  waitForOfflineReady,
  waitForRecords,
} from '../fixtures/app.ts'
import { axeViolationsOf } from '../fixtures/axe-violations.ts'
import { addMember } from '../fixtures/member-fixture.ts'
import { createBrowserFixture } from '../fixtures/browser-fixture.ts'
import { waitUntil } from '../fixtures/wait-until.ts'
import { isStored } from '../fixtures/readable-storage.ts'
import { longTest } from '../../long-test.ts'

test('a template is written, used offline, and brings its work once the plan is sent', async () => {
  const scene = await createBrowserFixture({ usedBefore: true })
  const { account, ada, browser } = scene
  const page = await openPlans(scene)
  await page.getByRole('link', { name: 'New plan' }).first().click()
  await page.getByRole('link', { name: 'Templates', exact: true }).last().click()
  await page.getByRole('button', { name: 'Create your first template' }).click()
  await page.getByLabel('Title', { exact: true }).fill('Onboarding in thirty days')
  await page.getByLabel('Duration in days').fill('30')
  await page.getByRole('button', { name: 'Add initiative' }).click()
  const initiative = page.getByRole('group', { name: 'Initiative 1', exact: true })
  await initiative.getByLabel('Initiative', { exact: true }).fill('Kick off')
  await initiative.getByLabel('To day').fill('10')
  await initiative.getByRole('button', { name: 'Add action' }).click()
  const action = page.getByRole('group', { name: 'Action 1 of initiative 1' })
  await page.getByRole('button', { name: 'Create template' }).click()
  await page.getByText('Please fix the following').waitFor()

  // The draft survives: saving needs a network.
  await action.getByLabel('Action', { exact: true }).fill('Invite their team')
  await action.getByLabel('Due on day').fill('3')
  await browser.context.setOffline(true)
  await page
    .getByText(/Sync|Offline/)
    .first()
    .waitFor()
  // It is stored a moment after the last key press.
  await waitUntil('the draft is stored', () => isStored(page, 'Invite their team'))
  await page.reload()
  await page.getByText('Draft restored').waitFor()
  const create = page.getByRole('button', { name: 'Create template' })
  await create.and(page.locator('[aria-disabled=true]')).waitFor()
  expect(await action.getByLabel('Action', { exact: true }).inputValue()).toBe('Invite their team')
  await browser.context.setOffline(false)
  await create.and(page.locator(':not([aria-disabled])')).click()
  const row = page.getByRole('article', { name: 'Onboarding in thirty days' })
  await row.getByText('30 days · 1 initiative, 1 action').waitFor()

  await browser.context.setOffline(true)
  await row.getByRole('link', { name: /^Use/ }).click()
  await page.getByRole('list', { name: 'What this template adds' }).waitFor()
  await page.getByLabel('Start date').fill('2026-03-01')
  await page.getByText('The plan runs from Mar 1, 2026 to Mar 31, 2026.').waitFor()
  await page.getByText(/^Mar 1(, 2026)? – Mar 11(, 2026)?$/).waitFor()
  await page.getByText(/^Due Mar 4(, 2026)?$/).waitFor()
  await page.getByLabel('Title', { exact: true }).fill('Onboard the night shift')
  await page.getByLabel('Account', { exact: true }).selectOption(account.id)
  await page.getByRole('button', { name: 'Create plan' }).click()
  await page.getByRole('heading', { name: 'Onboard the night shift', level: 1 }).waitFor()
  await page.getByRole('navigation', { name: 'Parts of this plan' }).getByText('Work').click()
  await page.getByText('They are added once the plan has been sent.').waitFor()
  await page
    .getByRole('list', { name: 'From the template' })
    .getByText(/^Due Mar 4(, 2026)?$/)
    .waitFor()

  await browser.context.setOffline(false)
  await page.getByRole('article', { name: 'Kick off' }).getByRole('button').first().click()
  await page.getByRole('checkbox', { name: 'Done: Invite their team' }).waitFor()
  await page.getByText('They are added once the plan').waitFor({ state: 'detached' })
  const { data } = (await ada.call('GET', '/api/v1/actions')) as {
    data: { title: string; due_date: string }[]
  }
  expect(data.map(({ title, due_date }) => [title, due_date])).toEqual([
    ['Invite their team', '2026-03-04'],
  ])

  // The plan is then worked to its end: started, its actions completed, its outcome reached.
  await page.getByRole('checkbox', { name: 'Done: Invite their team' }).click()
  await page.getByRole('navigation', { name: 'Parts of this plan' }).getByText('Updates').click()
  const change = async (transition: string) => {
    await page.getByRole('button', { name: 'Change status' }).click()
    await chooseFromMenu(page, transition)
  }
  await change('Start work')
  await post(page, 'All of the night shift signs in by itself.')
  await change('Complete')
  const question = page.getByRole('dialog', { name: 'Complete' })
  await question.getByLabel('Achieved', { exact: true }).check()
  await question.getByRole('button', { name: 'Complete' }).click()
  await waitUntil('the server has all records', async () => {
    const [plans, actions] = (await Promise.all([
      ada.call('GET', '/api/v1/success-plans?filters[title]=night shift'),
      ada.call('GET', '/api/v1/actions'),
    ])) as { data: { status: string; progress?: number }[] }[]
    const [plan] = plans?.data ?? []
    const [action] = actions?.data ?? []
    return plan?.status === 'completed' && plan.progress === 100 && action?.status === 'done'
  })
  await page
    .getByText(/^completed$/i)
    .first()
    .waitFor()
})

longTest(
  'a template is saved from a plan, edited and deleted; a member can only use it',
  async () => {
    const scene = await createBrowserFixture({ usedBefore: true })
    const { ada, plan } = scene
    await ada.call('POST', '/api/v1/initiatives', {
      title: 'Train the trainers',
      success_plan_id: plan.id,
    })
    const page = await openPlans(scene)
    await openPlan(page, plan)
    await page.getByRole('button', { name: /^More for/ }).click()
    await page.getByRole('menuitem', { name: 'Save as template' }).click()
    const dialog = page.getByRole('dialog', { name: 'Save as template' })
    await dialog.getByLabel('Title of the template').fill('Launch')
    await dialog.getByRole('button', { name: 'Save as template' }).click()
    await page.getByRole('button', { name: 'Show' }).click()
    const row = page.getByRole('article', { name: 'Launch' })
    await row.getByText(/90 days · 1 initiative, 0 actions/).waitFor()

    await row.getByRole('button', { name: 'More for “Launch”' }).click()
    await page.getByRole('menuitem', { name: 'Edit' }).click()
    await page.getByLabel('Duration in days').fill('60')
    await page.getByRole('button', { name: 'Save changes' }).click()
    await row.getByText(/60 days · 1 initiative/).waitFor()

    const cleo = await addMember(scene, 'Cleo Marsh')
    await expect(
      cleo.call('POST', '/api/v1/templates', { title: 'x', duration_days: 1 }),
    ).rejects.toThrow(/403/)
    await row.getByRole('button', { name: 'More for “Launch”' }).click()
    await page.getByRole('menuitem', { name: 'Delete' }).click()
    const undo = page.getByRole('button', { name: 'Undo' })
    // With the focus it stays.
    await undo.focus()
    // Nothing goes with it, so nothing is asked.
    await page.getByText('No templates yet').waitFor()
    await undo.click()
    await row.getByRole('button', { name: 'More for “Launch”' }).click()
    await page.getByRole('menuitem', { name: 'Delete' }).click()
    await page.getByText('No templates yet').waitFor()

    // The starters are offered again: in the form of a new plan, and on the empty list.
    await page.goto(`${scene.url}/success-plans/new`)
    await page.getByRole('combobox', { name: /^Template/ }).selectOption({ label: 'Renewal' })
    await page.getByRole('list', { name: 'What this template adds' }).waitFor()
    await page.goto(`${scene.url}/templates`)
    await page.getByRole('button', { name: 'Add the template “Renewal”' }).click()
    await page.getByRole('article', { name: 'Renewal' }).waitFor()
  },
)

longTest('a plan is made backwards from the renewal of its account, offline', async () => {
  const scene = await createBrowserFixture({ usedBefore: true })
  const { ada, browser, url } = scene
  // A Saturday: what is due 4 days before is on a Tuesday, and 7 days before on a Saturday.
  const renewal_date = '2031-03-01'
  const account = await ada.createAccount({ name: 'Harbour Nine', renewal_date })
  const due = (title: string, due_offset_days: number) => ({ title, due_offset_days })
  await ada.call('POST', '/api/v1/templates', {
    title: 'Renewal',
    duration_days: 60,
    initiatives: [
      {
        title: 'Agree',
        start_offset_days: 0,
        end_offset_days: 56,
        actions: [due('Send the offer', 53), due('Sign', 56)],
      },
    ],
  })
  const page = await browser.open(`${url}/accounts/${account.id}`)
  await page.getByRole('heading', { name: account.name, level: 1 }).waitFor()
  await waitForOfflineReady(page)
  await waitForRecords(scene, page)
  await browser.context.setOffline(true)
  await page.getByRole('link', { name: 'Plan it' }).click()
  await page.getByLabel('Template').selectOption('Renewal')
  await page.getByText('The plan runs from Dec 31, 2030 to Mar 1, 2031.').waitFor()
  expect(await page.getByLabel('Title', { exact: true }).inputValue()).toBe('Renewal: Harbour Nine')
  await page.getByText('This is a Saturday.').waitFor()
  await page.getByRole('checkbox', { name: /1 date is on a weekend/ }).check()
  await page.getByText('Due Feb 24, 2031').waitFor()
  expect(await axeViolationsOf(page, 'a plan made backwards')).toEqual([])
  await page.getByRole('button', { name: 'Create plan' }).click()
  await page.getByRole('heading', { name: 'Renewal: Harbour Nine', level: 1 }).waitFor()
  await browser.context.setOffline(false)
  const actions = await waitUntil('the plan arrives with its actions', async () => {
    const { data } = (await ada.call('GET', '/api/v1/actions')) as {
      data: { title: string; due_date: string }[]
    }
    const own = data.filter(({ title }) => title === 'Send the offer' || title === 'Sign')
    return own.length === 2 && own
  })
  expect(Object.fromEntries(actions.map(({ title, due_date }) => [title, due_date]))).toEqual({
    'Send the offer': '2031-02-24',
    Sign: '2031-02-25',
  })
})
