// On a screen of 1,280 × 1,024 px at 400 % the title and the buttons of a dialog left no room for its fields.
import type { Locator, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { openPlans } from '../fixtures/app.ts'
import { createBrowserFixture } from '../fixtures/browser-fixture.ts'
import { longTest } from '../../long-test.ts'

const SIZE = { width: 320, height: 256 }

/** The controls of a dialog that cannot be seen whole, with their label, wherever it is scrolled to. */
const cutOff = (dialog: Locator) =>
  dialog.evaluate((element) => {
    const isSeen = (part: Element) => {
      const { left, right, top, bottom, width } = part.getBoundingClientRect()
      const edges = [top + 1, bottom - 1].map((y) => document.elementFromPoint(left + width / 2, y))
      const isInside = left >= 0 && right <= innerWidth && top >= 0 && bottom <= innerHeight
      return isInside && edges.every((edge) => edge && part.contains(edge))
    }
    return [...element.querySelectorAll<HTMLInputElement>('input, select, textarea, button')]
      .filter((control) => {
        const [label] = control.labels ?? []
        const parts = label && !label.contains(control) ? [label, control] : [control]
        parts[0]?.scrollIntoView({ block: 'start' })
        // A dialog that ends with it cannot scroll further.
        control.scrollIntoView({ block: 'nearest' })
        return !parts.every(isSeen)
      })
      .map((control) => `${control.localName} ${control.name || control.textContent}`)
  })

/** Opens a dialog at that size, fills in a field and saves it. */
async function fillIn(page: Page, opener: Locator, field: string, value: string) {
  await page.setViewportSize(SIZE)
  await opener.click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel(field).waitFor()
  await dialog.evaluate((element) =>
    Promise.all(element.getAnimations({ subtree: true }).map(({ finished }) => finished)),
  )
  expect(await cutOff(dialog)).toEqual([])
  await dialog.getByLabel(field).fill(value)
  await dialog.getByRole('button', { name: /^Save/ }).click()
  await dialog.waitFor({ state: 'detached' })
  await page.getByText(value).first().waitFor()
}

test('a contact can be edited at 320 × 256 px', async () => {
  const scene = await createBrowserFixture({ usedBefore: true })
  const page = await openPlans(scene)
  await page.goto(`${scene.url}/accounts/${scene.account.id}`)
  const opener = page.getByRole('button', { name: 'Edit Mira Stone' })
  await fillIn(page, opener, 'Title', 'Head of operations')
})

longTest('an action can be edited at 320 × 256 px', async () => {
  const scene = await createBrowserFixture({ usedBefore: true })
  const { ada, plan, url } = scene
  const title = 'Invite the trainers'
  await ada.call('POST', '/api/v1/actions', { success_plan_id: plan.id, title })
  const page = await openPlans(scene)
  await page.goto(`${url}/success-plans/${plan.id}?show=initiatives`)
  const opener = page.getByRole('button', { name: `Edit “${title}”` })
  await fillIn(page, opener, 'Title', 'Invite all trainers')
})
