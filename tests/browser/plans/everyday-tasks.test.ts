// An everyday task takes more clicks and keys than docs/tasks.md says.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Locator, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { composer, openPlans, planRow } from '../fixtures/app.ts'
import { addMember } from '../fixtures/member-fixture.ts'
import { createBrowserFixture } from '../fixtures/browser-fixture.ts'
import { waitUntil } from '../fixtures/wait-until.ts'

const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)

/** The last column of the table: the most clicks and keys of each task. */
const documented = [
  ...readFileSync(join(import.meta.dirname, '../../../docs/tasks.md'), 'utf8').matchAll(
    /^\| ([A-Z][^|]+) \|.*\| (\d+) \|$/gm,
  ),
].map(([, task = '', most]) => ({ task: task.trim(), most: Number(most) }))

/** Counts what a person does. */
class Hand {
  count = 0
  readonly #page: Page
  constructor(page: Page) {
    this.#page = page
  }
  async click(target: Locator): Promise<void> {
    await target.click()
    this.count += 1
  }
  async choose(field: Locator, option: string): Promise<void> {
    await field.selectOption(option)
    this.count += 1
  }
  /** Opens a menu and chooses an item: two clicks, also where a page that still loads closes the menu. */
  async fromMenu(button: Locator, item: Locator): Promise<void> {
    await waitUntil('the item is chosen', async () => {
      const isOpen = await item.evaluateAll((items) => {
        const shown = items.find((one) => one.checkVisibility())
        if (shown instanceof HTMLElement) shown.click()
        return shown !== undefined
      })
      if (!isOpen) await button.click()
      return isOpen
    })
    this.count += 2
  }
  async press(...keys: string[]): Promise<void> {
    for (const key of keys) await this.#page.keyboard.press(key)
    this.count += keys.length
  }
}

test('the ten everyday tasks take no more clicks and keys than documented', async () => {
  const scene = await createBrowserFixture({ usedBefore: true })
  const { account, ada, plan, url } = scene
  const cleo = await addMember(scene, 'Cleo Marsh')
  await cleo.createPlan({ title: 'Cleo’s roll-out', type: 'project' })
  const passed = await ada.createAccount({ name: 'Passed Harbour', renewal_date: inDays(-3) })
  await ada.call('POST', '/api/v1/templates', { title: 'Renewal', duration_days: 60 })
  await ada.call('POST', '/api/v1/actions', {
    success_plan_id: plan.id,
    title: 'Call Mira',
    due_date: inDays(-1),
    assignee_id: plan.owner_id,
  })
  for (const [title, health] of [
    ['Off the path', 'off-track'],
    ['At the edge', 'at-risk'],
  ])
    await ada.createPlan({ title, type: 'project', status: 'in-progress', health })
  const page = await openPlans(scene)
  const link = (name: string | RegExp) => page.getByRole('link', { name }).first()
  const heading = (name: string) => page.getByRole('heading', { name, level: 1 })
  const home = async () => {
    await page.goto(`${url}/`)
    await heading(`What needs your attention, Ada`)
      .or(heading('What needs your attention'))
      .waitFor()
  }

  const tasks: ((hand: Hand) => Promise<unknown>)[] = [
    async (hand) => {
      await home()
      await hand.click(link(/^Success plans$/))
      await hand.click(link(/^At risk or off track/))
      await page.getByText('Off the path').first().waitFor()
    },
    async (hand) => {
      await home()
      await hand.click(link(/^Accounts$/))
      await hand.click(page.getByText(account.name).first())
      await heading(account.name).waitFor()
      await page.getByText('Call Mira').first().waitFor()
    },
    async (hand) => {
      await home()
      await hand.click(link(/^Success plans$/))
      await hand.click(planRow(page, plan))
      await composer(page).fill('They signed.')
      await hand.click(page.getByRole('button', { name: 'Post update' }))
      await page.getByRole('article').filter({ hasText: 'They signed.' }).waitFor()
    },
    async (hand) => {
      await home()
      await hand.click(page.getByRole('checkbox', { name: /Call Mira/ }))
      await waitUntil('the action is done', async () => {
        const { data } = (await ada.call('GET', '/api/v1/actions')) as {
          data: { title: string; status: string }[]
        }
        return data.some(({ title, status }) => title === 'Call Mira' && status === 'done')
      })
    },
    async (hand) => {
      await page.goto(`${url}/accounts/${account.id}`)
      await hand.click(link('Plan it'))
      await hand.choose(page.getByLabel('Template'), 'Renewal')
      await hand.click(page.getByRole('button', { name: 'Create plan' }))
      await heading(`Renewal: ${account.name}`).waitFor()
    },
    async (hand) => {
      await page.goto(`${url}/settings/organisation/members`)
      await hand.fromMenu(
        page.getByRole('button', { name: /^Role of Cleo/ }),
        page.locator('[role=menuitem]', { hasText: 'Remove from the organisation' }),
      )
      const question = page.getByRole('alertdialog')
      await hand.choose(
        question.getByLabel('Who takes over?'),
        `${ada.name} (owner of the organisation)`,
      )
      await hand.click(question.getByRole('button', { name: 'Remove' }))
      await page.getByText('Cleo Marsh was removed').waitFor()
    },
    async (hand) => {
      await home()
      await hand.press('Control+K')
      await page.getByRole('combobox').waitFor()
      await hand.press('n', 'o', 'r')
      const chosen = page.getByRole('option', { selected: true })
      await page.getByRole('option', { name: account.name }).first().waitFor()
      while (!(await chosen.innerText()).startsWith(account.name)) await hand.press('ArrowDown')
      await hand.press('Enter')
      await heading(account.name).waitFor()
    },
    async (hand) => {
      await home()
      await hand.click(link('Renewals by quarter'))
      await hand.click(page.getByRole('button', { name: `Record outcome: ${passed.name}` }))
      await hand.click(page.getByRole('button', { name: 'Save outcome' }))
      await page.getByRole('dialog').waitFor({ state: 'detached' })
    },
    async (hand) => {
      await page.goto(`${url}/success-plans`)
      await hand.click(link(/^Review$/))
      await hand.click(page.getByRole('button', { name: /^Review \d+ plans$/ }))
      const shown = page.getByRole('heading', { level: 2 }).first()
      for (let at = 0; at < 3; at += 1) {
        const title = await shown.innerText()
        await waitUntil('the plan has the focus', () =>
          shown.evaluate((element) => element === document.activeElement),
        )
        await hand.press('Control+Shift+Enter')
        await waitUntil('the next plan is shown', async () => (await shown.innerText()) !== title)
      }
    },
    async (hand) => {
      await page.goto(`${url}/success-plans/${plan.id}`)
      await hand.fromMenu(
        page.getByRole('button', { name: /^More for/ }),
        page.locator('[role=menuitem]', { hasText: 'Print sheet' }),
      )
      const [file] = await Promise.all([
        page.waitForEvent('download'),
        hand.click(page.getByRole('button', { name: 'Save as a file' })),
      ])
      expect(readFileSync(await file.path(), 'utf8')).not.toContain('They signed.')
    },
  ]
  expect(documented).toHaveLength(tasks.length)
  for (const [at, perform] of tasks.entries()) {
    const hand = new Hand(page)
    await perform(hand)
    const { task, most } = documented[at] ?? { task: '', most: 0 }
    expect({ task, fits: hand.count <= most, count: hand.count }).toMatchObject({
      task,
      fits: true,
    })
  }
})
