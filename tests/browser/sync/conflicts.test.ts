// Two users change the same field: the one who was offline resolves the conflict with both values shown,
// and no change is overwritten unseen.
import type { Locator, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import type { SuccessPlan } from '../../../contract/schemas/success-plans.ts'
import { card, composer, post, waitForSent, SAVED } from '../fixtures/app.ts'
import {
  openPlanFixture,
  UPDATES_PATH,
  type OpenPlanFixture,
} from '../fixtures/open-plan-fixture.ts'
import { addMember } from '../fixtures/member-fixture.ts'
import type { ApiUser } from '../fixtures/api-user.ts'
import { waitUntil } from '../fixtures/wait-until.ts'
import { longTest } from '../../long-test.ts'

const NOTE = 'Two more teams are on board.'

/** The plan as the server has it. */
async function planOnServer({ ada, plan }: OpenPlanFixture): Promise<SuccessPlan> {
  const path = `/api/v1/success-plans/${plan.id}`
  return ((await ada.call('GET', path)) as { data: SuccessPlan }).data
}

/** Enqueues an operation offline while `other` posts an update, and reconnects. */
async function editConcurrently(
  scene: OpenPlanFixture,
  mine: () => Promise<void>,
  theirs: object,
  other: ApiUser = scene.ada,
): Promise<void> {
  const { browser, page, plan } = scene
  await browser.context.setOffline(true)
  await mine()
  await page.getByText(SAVED).first().waitFor()
  await other.postUpdate(plan, theirs)
  await browser.context.setOffline(false)
}

const setProgress = async (page: Page, value: number) =>
  await page.getByRole('slider', { name: 'Progress' }).fill(String(value))

const conflictForm = (page: Page, fields: string): Locator =>
  page.getByRole('form', { name: new RegExp(`^${fields} (was|were) changed by someone else`) })

async function createProgressConflict(scene: OpenPlanFixture, other?: ApiUser): Promise<Locator> {
  const { page } = scene
  await editConcurrently(
    scene,
    async () => {
      await setProgress(page, 60)
      await post(page, NOTE)
    },
    { body: 'Seen from the office.', progress: 75 },
    other,
  )
  const conflict = conflictForm(page, 'Progress')
  await conflict.waitFor()
  return conflict
}

test('keeps the other’s value until the user chooses, and posts the note at once', async () => {
  const scene = await openPlanFixture()
  const { ada, network, page, plan } = scene
  const conflict = await createProgressConflict(scene, await addMember(scene, 'Mia Okafor'))
  await waitUntil(
    'the note is there',
    async () => (await ada.updatesWithText(plan, NOTE)).length === 1,
  )
  expect((await planOnServer(scene)).progress).toBe(75)
  await conflict.getByText('20% → 60%').waitFor()
  await conflict.getByText('75%', { exact: true }).waitFor()
  await conflict.getByText(/^Mia Okafor, /).waitFor()

  await conflict.getByRole('radio', { name: /^Use mine/ }).check()
  await conflict.getByRole('button', { name: 'Save my choice' }).click()
  await waitUntil('my value is stored', async () => (await planOnServer(scene)).progress === 60)
  await conflict.waitFor({ state: 'detached' })
  await page.getByText('Needs attention').first().waitFor({ state: 'detached' })
  await waitForSent(page)
  expect(await ada.updatesWithText(plan, NOTE)).toHaveLength(1)
  expect(
    network.requests('POST', UPDATES_PATH).filter(({ status }) => status === 201),
  ).toHaveLength(2)
})

longTest('keeping the other’s value sends nothing more', async () => {
  const scene = await openPlanFixture()
  const { ada, network, page, plan } = scene
  const conflict = await createProgressConflict(scene)
  await waitUntil(
    'the note is there',
    async () => (await ada.updatesWithText(plan, NOTE)).length === 1,
  )
  const sent = network.requests('POST', UPDATES_PATH).length
  await conflict.getByRole('radio', { name: /^Keep theirs/ }).check()
  await conflict.getByRole('button', { name: 'Save my choice' }).click()
  await conflict.waitFor({ state: 'detached' })
  await page.getByText('Kept their value').waitFor()
  await page.getByText('Progress 20 → 75%').waitFor()
  expect((await planOnServer(scene)).progress).toBe(75)
  expect(network.requests('POST', UPDATES_PATH)).toHaveLength(sent)
})

longTest('each field of a conflict is resolved by itself, by keyboard alone', async () => {
  const scene = await openPlanFixture()
  const { page } = scene
  await editConcurrently(
    scene,
    async () => {
      await setProgress(page, 60)
      await page.getByLabel('Health').selectOption('At risk')
      await post(page, NOTE)
    },
    { progress: 75, health: 'off-track' },
  )
  const conflict = conflictForm(page, 'Progress and Health')
  const send = conflict.getByRole('button', { name: 'Save my choice' })
  await conflict.getByRole('radio').first().focus()
  await page.keyboard.press('Space')
  expect(await send.getAttribute('aria-disabled')).toBe('true')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Space')
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await waitUntil('each field has the chosen value', async () => {
    const { progress, health } = await planOnServer(scene)
    return progress === 60 && health === 'off-track'
  })
  await conflict.waitFor({ state: 'detached' })
  // The focused element is gone; the scroll position is unchanged.
  await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).not.toBe('BODY')
})

longTest(
  'a transition that the plan no longer allows cannot be chosen, and its note can be posted',
  async () => {
    const scene = await openPlanFixture()
    const { ada, page, plan } = scene
    const reason = 'Their budget is frozen until March.'
    await editConcurrently(
      scene,
      async () => {
        await page.getByRole('button', { name: 'Change status' }).click()
        await page.getByRole('menuitem', { name: 'Pause' }).click()
        await page.getByLabel('Note').fill(reason)
        await page.getByRole('button', { name: 'Pause' }).click()
      },
      { status: 'completed', outcome: 'achieved', body: 'Done.' },
    )
    const conflict = conflictForm(page, 'Status')
    await conflict.getByText('A plan that is completed can no longer become paused.').waitFor()
    expect(await conflict.getByRole('radio', { name: /^Use mine/ }).isDisabled()).toBe(true)
    expect(await conflict.getByRole('radio', { name: /^Keep theirs/ }).isChecked()).toBe(true)
    await conflict.getByText('Your note can be posted without it.').waitFor()
    await conflict.getByRole('button', { name: 'Post the note' }).click()
    await waitUntil('the note is posted', async () => {
      const posted = await ada.updatesWithText(plan, reason)
      return posted.length === 1
    })
    expect((await planOnServer(scene)).status).toBe('completed')
  },
)

test('changes of different fields are merged without a question, and the sync centre says so', async () => {
  const scene = await openPlanFixture()
  const { page } = scene
  await editConcurrently(
    scene,
    async () => {
      await setProgress(page, 60)
      await post(page, NOTE)
    },
    { health: 'at-risk', body: 'Their sponsor has left.' },
  )
  await waitUntil('both changes are stored', async () => {
    const { progress, health } = await planOnServer(scene)
    return progress === 60 && health === 'at-risk'
  })
  await card(page, 'Their sponsor has left.').waitFor()
  expect(await page.getByText('changed by someone else').count()).toBe(0)
  await page.getByRole('button', { name: /Your menu/ }).click()
  await page.getByRole('menuitem', { name: 'Sync status' }).click()
  const sent = page.getByRole('list', { name: 'Sent in the last 14 days' })
  await sent.getByText(/merged with others’ changes/).waitFor()
  await sent.getByText('Changed elsewhere and kept: Health: At risk', { exact: true }).waitFor()
})

longTest('a conflict survives a reload and can be resolved in the sync centre', async () => {
  const scene = await openPlanFixture()
  const { page } = scene
  await createProgressConflict(scene)
  await page.reload()
  await composer(page).waitFor()
  await page.getByRole('button', { name: /Sync: Needs attention/ }).click()
  const panel = page.getByRole('dialog', { name: 'Sync' })
  await panel.getByRole('radio', { name: /^Use mine/ }).check()
  await panel.getByRole('button', { name: 'Save my choice' }).click()
  await waitUntil('my value is stored', async () => (await planOnServer(scene)).progress === 60)
  await panel.getByText('Everything is synced.').waitFor()
})

longTest('a title that others changed is kept until the author has chosen', async () => {
  const scene = await openPlanFixture()
  const { ada, browser, page, plan } = scene
  await browser.context.setOffline(true)
  await page.getByRole('button', { name: /^More for/ }).click()
  await page.getByRole('menuitem', { name: 'Edit' }).click()
  await page.getByLabel('Title', { exact: true }).fill('Launch the reporting workspace')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText(SAVED).first().waitFor()
  const path = `/api/v1/success-plans/${plan.id}`
  await ada.call('PATCH', path, { title: 'Launch the data workspace', end_date: '2030-01-31' })
  await browser.context.setOffline(false)
  const conflict = conflictForm(page, 'Title')
  await conflict.getByText('Launch the data workspace').waitFor()
  expect((await planOnServer(scene)).title).toBe('Launch the data workspace')
  await conflict.getByRole('radio', { name: /^Use mine/ }).check()
  await conflict.getByRole('button', { name: 'Save my choice' }).click()
  await page.getByRole('heading', { name: 'Launch the reporting workspace', level: 1 }).waitFor()
  await waitUntil('the chosen value of mine and the rest of theirs are stored', async () => {
    const { title, end_date } = await planOnServer(scene)
    return title === 'Launch the reporting workspace' && end_date === '2030-01-31'
  })
  await waitForSent(page)
})
