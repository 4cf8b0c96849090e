// Two people change the same: the one who was offline is asked, both values stand there, and nothing
// is undone that its author had not seen.
import type { Locator, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import type { SuccessPlan } from '../../contract/success-plans.ts'
import { card, cardIn, composer, post, SAVED } from './app.ts'
import { atAPlan, UPDATES, type AtAPlan } from './at-a-plan.ts'
import { colleague } from './colleague.ts'
import type { Person } from './person.ts'
import { until } from './until.ts'

const NOTE = 'Two more teams are on board.'

/** The plan as the server has it. */
async function planThere({ ada, plan }: AtAPlan): Promise<SuccessPlan> {
  const path = `/api/v1/success-plans/${plan.id}`
  return ((await ada.call('GET', path)) as { data: SuccessPlan }).data
}

/** Says something offline while `other` posts an update, and comes back. */
async function cross(
  scene: AtAPlan,
  mine: () => Promise<void>,
  theirs: object,
  other: Person = scene.ada,
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

const question = (page: Page, fields: string): Locator =>
  page.getByRole('form', { name: new RegExp(`^${fields} (was|were) changed meanwhile`) })

async function crossProgress(scene: AtAPlan, other?: Person): Promise<Locator> {
  const { page } = scene
  await cross(
    scene,
    async () => {
      await setProgress(page, 60)
      await post(page, NOTE)
    },
    { body: 'Seen from the office.', progress: 75 },
    other,
  )
  const asked = question(page, 'Progress')
  await asked.waitFor()
  return asked
}

test('mine undoes theirs before anybody chose, or the note waits for the answer', async () => {
  const scene = await atAPlan()
  const { ada, network, page, plan } = scene
  const asked = await crossProgress(scene, await colleague(scene, 'Mia Okafor'))
  await until('the note is there', async () => (await ada.updatesSaying(plan, NOTE)).length === 1)
  expect((await planThere(scene)).progress).toBe(75)
  await asked.getByText('20% → 60%').waitFor()
  await asked.getByText('75%', { exact: true }).waitFor()
  await asked.getByText(/^Mia Okafor, /).waitFor()

  await asked.getByRole('radio', { name: /^Use mine/ }).check()
  await asked.getByRole('button', { name: 'Send my choice' }).click()
  await until('mine holds', async () => (await planThere(scene)).progress === 60)
  await asked.waitFor({ state: 'detached' })
  await page.getByText('Needs attention').first().waitFor({ state: 'detached' })
  expect(await ada.updatesSaying(plan, NOTE)).toHaveLength(1)
  expect(network.seen('POST', UPDATES).filter(({ status }) => status === 201)).toHaveLength(2)
})

test('theirs is not kept, or something is sent that was given up', async () => {
  const scene = await atAPlan()
  const { ada, network, page, plan } = scene
  const asked = await crossProgress(scene)
  await until('the note is there', async () => (await ada.updatesSaying(plan, NOTE)).length === 1)
  const sent = network.seen('POST', UPDATES).length
  await asked.getByRole('radio', { name: /^Keep theirs/ }).check()
  await asked.getByRole('button', { name: 'Send my choice' }).click()
  await asked.waitFor({ state: 'detached' })
  await page.getByText('Theirs stays').waitFor()
  await page.getByText('Progress 20 → 75%').waitFor()
  expect((await planThere(scene)).progress).toBe(75)
  expect(network.seen('POST', UPDATES)).toHaveLength(sent)
})

test('two fields cannot be answered each in its own way, by keyboard alone', async () => {
  const scene = await atAPlan()
  const { page } = scene
  await cross(
    scene,
    async () => {
      await setProgress(page, 60)
      await page.getByLabel('Health').selectOption('At risk')
      await post(page, NOTE)
    },
    { progress: 75, health: 'off-track' },
  )
  const asked = question(page, 'Progress and Health')
  const send = asked.getByRole('button', { name: 'Send my choice' })
  await asked.getByRole('radio').first().focus()
  await page.keyboard.press('Space')
  expect(await send.getAttribute('aria-disabled')).toBe('true')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Space')
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await until('each is as it was chosen', async () => {
    const { progress, health } = await planThere(scene)
    return progress === 60 && health === 'off-track'
  })
  await asked.waitFor({ state: 'detached' })
  // What had the focus is gone; the place in the page is not.
  expect(await page.evaluate(() => document.activeElement?.tagName)).not.toBe('BODY')
})

test('a step is offered that the plan no longer allows', async () => {
  const scene = await atAPlan()
  const { ada, page, plan } = scene
  const reason = 'Their budget is frozen until March.'
  await cross(
    scene,
    async () => {
      await page.getByRole('button', { name: 'Change status' }).click()
      await page.getByRole('menuitem', { name: 'Pause' }).click()
      await page.getByLabel('Note').fill(reason)
      await page.getByRole('button', { name: 'Pause' }).click()
    },
    { status: 'completed', outcome: 'achieved', body: 'Done.' },
  )
  const asked = question(page, 'Status')
  await asked.getByText('A plan that is completed cannot become paused any more.').waitFor()
  expect(await asked.getByRole('radio', { name: /^Use mine/ }).isDisabled()).toBe(true)
  expect(await asked.getByRole('radio', { name: /^Keep theirs/ }).isChecked()).toBe(true)
  await asked.getByText('Your note can be posted without it.').waitFor()
  await asked.getByRole('button', { name: 'Post the note' }).click()
  await until('the note is posted all the same', async () => {
    const posted = await ada.updatesSaying(plan, reason)
    return posted.length === 1
  })
  expect((await planThere(scene)).status).toBe('completed')
})

test('changes of different fields are asked about, or nobody says that they were merged', async () => {
  const scene = await atAPlan()
  const { page } = scene
  await cross(
    scene,
    async () => {
      await setProgress(page, 60)
      await post(page, NOTE)
    },
    { health: 'at-risk', body: 'Their sponsor has left.' },
  )
  await until('both changes stand', async () => {
    const { progress, health } = await planThere(scene)
    return progress === 60 && health === 'at-risk'
  })
  await card(page, 'Their sponsor has left.').waitFor()
  expect(await page.getByText('changed meanwhile').count()).toBe(0)
  await page.getByRole('button', { name: /Your menu/ }).click()
  await page.getByRole('menuitem', { name: 'Sync status' }).click()
  const sent = page.getByRole('list', { name: 'Sent in the last 24 hours' })
  await sent.getByText(/merged with others’ changes/).waitFor()
})

test('a question is lost in a reload, or cannot be answered in the sync centre', async () => {
  const scene = await atAPlan()
  const { page } = scene
  await crossProgress(scene)
  await page.reload()
  await composer(page).waitFor()
  await page.getByRole('button', { name: /Sync: Needs attention/ }).click()
  const panel = page.getByRole('dialog', { name: 'Sync' })
  await panel.getByRole('radio', { name: /^Use mine/ }).check()
  await panel.getByRole('button', { name: 'Send my choice' }).click()
  await until('mine holds', async () => (await planThere(scene)).progress === 60)
  await panel.getByText('Nothing waits to be sent.').waitFor()
})

test('the title of a plan is overwritten by an edit whose author had not seen it', async () => {
  const scene = await atAPlan()
  const { ada, browser, page, plan } = scene
  await browser.context.setOffline(true)
  await page.getByRole('button', { name: /^More for/ }).click()
  await page.getByRole('menuitem', { name: 'Edit' }).click()
  await page.getByLabel('Title').fill('Launch the reporting workspace')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText(SAVED).first().waitFor()
  const path = `/api/v1/success-plans/${plan.id}`
  await ada.call('PATCH', path, { title: 'Launch the data workspace', end_date: '2030-01-31' })
  await browser.context.setOffline(false)
  const asked = question(page, 'Title')
  await asked.getByText('Launch the data workspace').waitFor()
  expect((await planThere(scene)).title).toBe('Launch the data workspace')
  await asked.getByRole('radio', { name: /^Use mine/ }).check()
  await asked.getByRole('button', { name: 'Send my choice' }).click()
  await page.getByRole('heading', { name: 'Launch the reporting workspace', level: 1 }).waitFor()
  await until('mine holds, and the rest of theirs', async () => {
    const { title, end_date } = await planThere(scene)
    return title === 'Launch the reporting workspace' && end_date === '2030-01-31'
  })
  await cardIn(page, 'reporting', SAVED).waitFor({ state: 'detached' })
})
