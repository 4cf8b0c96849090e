// A deletion affects everyone, so it asks first where other records go with it, and can be undone until it is sent.
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { openPlans } from '../fixtures/app.ts'
import { createBrowserFixture } from '../fixtures/browser-fixture.ts'
import { waitUntil } from '../fixtures/wait-until.ts'
import { longTest } from '../../long-test.ts'

const INITIATIVE = 'Train the trainers'

const menuOf = async (page: Page, title: string) => {
  await page.getByRole('button', { name: `More for “${title}”` }).click()
  return page.getByRole('menuitem', { name: 'Delete' }).filter({ visible: true })
}

longTest(
  'a deletion asks first, can be undone until it is sent, and removes dependants',
  async () => {
    const scene = await createBrowserFixture({ usedBefore: true })
    const { account, ada, network, plan } = scene
    const made = (await ada.call('POST', '/api/v1/initiatives', {
      title: INITIATIVE,
      success_plan_id: plan.id,
      status: 'in-progress',
    })) as { data: { id: string } }
    const initiative = made.data
    await ada.call('POST', '/api/v1/actions', { title: 'Book', initiative_id: initiative.id })
    const page = await openPlans(scene)
    await page.goto(`${scene.url}/success-plans/${plan.id}?show=initiatives`)
    const row = page.getByRole('article', { name: INITIATIVE })
    await row.waitFor()
    const question = page.getByRole('alertdialog')
    // That of the discarding before may still be shown.
    const undo = page
      .getByRole('region', { name: 'Notifications' })
      .locator('> div', { hasText: `“${INITIATIVE}” was deleted` })
      .getByRole('button', { name: 'Undo' })

    await network.goDown()
    await page.getByRole('button', { name: /Sync: Offline/ }).waitFor()
    await (await menuOf(page, INITIATIVE)).click()
    await question.getByText('Its actions are deleted too').waitFor()
    await question.getByRole('button', { name: 'Delete' }).click()
    await page.getByText('No initiatives yet').waitFor()
    await page.getByRole('button', { name: /Sync: Offline · 1 waiting/ }).waitFor()
    await page.reload()
    await page.getByText('No initiatives yet').waitFor()
    // The toast is gone; the sync centre offers the same as long as it waits.
    await page.getByRole('button', { name: /Sync: Offline · 1 waiting/ }).click()
    const panel = page.getByRole('dialog')
    await panel.getByText(`Deletion of “${INITIATIVE}”`).waitFor()
    await panel.getByRole('button', { name: 'Discard' }).click()
    await page.keyboard.press('Escape')
    await row.waitFor()

    await network.goUp()
    await page.getByRole('button', { name: /Sync: Offline/ }).waitFor({ state: 'detached' })
    await (await menuOf(page, INITIATIVE)).click()
    await question.getByRole('button', { name: 'Delete' }).click()
    await row.waitFor({ state: 'detached' })
    await undo.click()
    await row.waitFor()
    await page.getByText(`“${INITIATIVE}” is back`).waitFor()

    await (await menuOf(page, INITIATIVE)).click()
    await question.getByRole('button', { name: 'Delete' }).click()
    await page.getByText('No initiatives yet').waitFor()
    await waitUntil('its actions are gone on the server', async () => {
      const { data } = (await ada.call('GET', '/api/v1/actions')) as { data: unknown[] }
      return data.length === 0
    })
    expect(network.requests('DELETE', /./)).toHaveLength(1)
    await page.reload()
    await page.getByText('No initiatives yet').waitFor()

    await page.goto(`${scene.url}/accounts/${account.id}`)
    const deleteItem = await menuOf(page, account.name)
    await deleteItem.getByText('Delete its success plans first.').waitFor()
    expect(await deleteItem.getAttribute('aria-disabled')).toBe('true')

    await page.goto(`${scene.url}/success-plans/${plan.id}`)
    await (await menuOf(page, plan.title)).click()
    network.injectFault({ method: 'DELETE', path: /./ }, { kind: 'lost' }, 1)
    await question.getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('heading', { name: 'Success plans', level: 1 }).waitFor()
    await page.locator(`[data-plan="${plan.id}"]`).waitFor({ state: 'detached' })
    await waitUntil('the plan is gone on the server', async () => {
      const { data } = (await ada.call('GET', '/api/v1/success-plans')) as {
        data: { id: string }[]
      }
      return data.every(({ id }) => id !== plan.id)
    })
    await page.goto(`${scene.url}/success-plans/${plan.id}`)
    await page.getByRole('heading', { name: 'This plan does not exist' }).first().waitFor()
  },
)

test('a dragged row keeps its new position on the server', async () => {
  const scene = await createBrowserFixture({ usedBefore: true })
  const { ada, plan } = scene
  const titles = ['First', 'Second', 'Third']
  for (const title of titles)
    await ada.call('POST', '/api/v1/initiatives', { title, success_plan_id: plan.id })
  const page = await openPlans(scene)
  await page.goto(`${scene.url}/success-plans/${plan.id}?show=initiatives`)
  const handle = page.getByRole('button', { name: 'Move “First”' })
  // Playwright clicks only what does not move.
  await handle.click({ trial: true })
  const from = await handle.boundingBox()
  const to = await page.getByRole('article', { name: 'Third' }).boundingBox()
  if (!from || !to) throw new Error('Nothing to drag.')
  await page.mouse.move(from.x + from.width / 2, from.y + from.height / 2)
  await page.mouse.down()
  await page.mouse.move(from.x, to.y + to.height / 2, { steps: 8 })
  await page.mouse.up()
  await waitUntil('the server has the new order', async () => {
    const { data } = (await ada.call('GET', '/api/v1/initiatives?sort=position')) as {
      data: { title: string }[]
    }
    return data.map(({ title }) => title).join() === 'Second,Third,First'
  })
  const shown = await page
    .locator('[data-initiative]')
    .evaluateAll((rows) => rows.map((row) => row.getAttribute('aria-label')))
  expect(shown).toEqual(['Second', 'Third', 'First'])
  // The same by single clicks.
  const up = page.getByRole('menuitem', { name: 'Move up' })
  expect(await up.count()).toBe(0)
  await handle.click()
  await up.click()
  await page.getByText('“First” is now 2 of 3').waitFor()
  expect(await handle.evaluate((button) => button === document.activeElement)).toBe(true)
})
