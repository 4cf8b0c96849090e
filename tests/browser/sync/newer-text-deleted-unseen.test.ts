// A plan is deleted offline while a colleague goes on writing on it: the text is gone before anyone has read it.
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { openPlans } from '../fixtures/app.ts'
import { createBrowserFixture, type BrowserFixture } from '../fixtures/browser-fixture.ts'
import { addMember } from '../fixtures/member-fixture.ts'
import { waitUntil } from '../fixtures/wait-until.ts'

const TITLE = 'Rollout with the second team'
const ATTENTION = /Sync: Needs attention/
const NOTE = 'Legal has signed the extension.'

/** Deletes the plan in the open page, without a network. */
async function deleteOffline({ network, plan, url }: BrowserFixture, page: Page): Promise<void> {
  await page.goto(`${url}/success-plans/${plan.id}`)
  const menu = page.getByRole('button', { name: /^More for “/ }).first()
  await menu.waitFor()
  await network.goDown()
  await page.getByRole('button', { name: /Sync: Offline/ }).waitFor()
  await menu.click()
  await page.getByRole('menuitem', { name: 'Delete' }).filter({ visible: true }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('button', { name: /Sync: Offline · 1 waiting/ }).waitFor()
}

/** The question about the deletion, in the sync centre. */
async function openQuestion(page: Page) {
  await page.getByRole('button', { name: ATTENTION }).click()
  return page.getByRole('dialog').getByRole('region', { name: /^Delete “.*” anyway\?$/ })
}

test('asks with what a colleague has written, keeps the plan, or deletes it after all', async () => {
  const scene = await createBrowserFixture({ usedBefore: true })
  const { ada, network, plan } = scene
  const mia = await addMember(scene, 'Mia Okafor')
  const page = await openPlans(scene)
  await deleteOffline(scene, page)
  await mia.call('PATCH', `/api/v1/success-plans/${plan.id}`, { title: TITLE })
  await mia.postUpdate(plan, { body: NOTE })
  await network.goUp()

  const question = await openQuestion(page)
  await question.getByText(`${plan.title} → ${TITLE}`).waitFor()
  await question.getByText('Mia Okafor', { exact: true }).waitFor()
  await question.getByText(NOTE).waitFor()
  await question.getByText(/^Mia Okafor, /).waitFor()
  await question.getByRole('button', { name: 'Keep it' }).click()
  await page.getByText('It is kept').waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: ATTENTION }).waitFor({ state: 'detached' })
  await page.locator(`[data-plan="${plan.id}"]`).getByText(TITLE).first().waitFor()

  await deleteOffline(scene, page)
  await mia.call('PATCH', `/api/v1/success-plans/${plan.id}`, { title: plan.title })
  await network.goUp()
  const again = await openQuestion(page)
  await again.getByText(`${TITLE} → ${plan.title}`).waitFor()
  // What Ada has read by then is not asked about again.
  expect(await again.getByText(NOTE).count()).toBe(0)
  await again.getByRole('button', { name: 'Delete anyway' }).click()
  await waitUntil('the plan is gone on the server', async () => {
    const { data } = (await ada.call('GET', '/api/v1/success-plans')) as { data: { id: string }[] }
    return data.every(({ id }) => id !== plan.id)
  })
  const answers = () => network.requests('DELETE', /\/success-plans\//).map(({ status }) => status)
  await waitUntil('the deletion is answered', () => answers().includes(204))
  expect(answers()).toEqual([412, 412, 204])
})
