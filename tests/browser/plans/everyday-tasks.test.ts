// An everyday task takes other clicks and keys than docs/tasks.md says.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Locator, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { composer, openPlans, planRow, waitForOfflineReady } from '../fixtures/app.ts'
import { addMember } from '../fixtures/member-fixture.ts'
import { createBrowserFixture } from '../fixtures/browser-fixture.ts'
import { waitUntil } from '../fixtures/wait-until.ts'
import { inDays } from '../fixtures/in-days.ts'
import { longTest } from '../../long-test.ts'

/** The last column of each table: the clicks and keys of each task. */
const [documented = [], documentedKeys = []] = readFileSync(
  join(import.meta.dirname, '../../../docs/tasks.md'),
  'utf8',
)
  .split('## By keyboard alone')
  .map((part) =>
    [...part.matchAll(/^\| ([A-Z][^|]+) \|.*\| (\d+) \|$/gm)].map(
      ([, task = '', count]) => `${task.trim()}: ${count}`,
    ),
  )

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
  /** Moves the focus there from the heading of the screen, which takes it when the screen is opened. */
  async tabTo(target: Locator): Promise<void> {
    await target.waitFor()
    await this.#page.locator('h1:focus').waitFor()
    for (let stops = 0; stops < 40; stops += 1) {
      if (await target.evaluate((element) => element === document.activeElement)) return
      await this.press('Tab')
    }
    throw new Error('40 stops do not lead there.')
  }
}

/** Ada at her desk: a customer with a passed renewal, colleagues, a template and plans that need her. */
async function openDesk() {
  const scene = await createBrowserFixture({ usedBefore: true })
  const { ada, plan, url } = scene
  await ada.call('POST', '/api/v1/subscriptions', { plan: 'professional' })
  const cleo = await addMember(scene, 'Cleo Marsh')
  await cleo.createPlan({ title: 'Cleo’s roll-out', type: 'project' })
  const dara = await addMember(scene, 'Dara Finch')
  for (let made = 1; made <= 17; made += 1)
    await dara.createPlan({ title: `Dara’s plan ${made}`, type: 'project' })
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
  const heading = (name: string) => page.getByRole('heading', { name, level: 1 })
  const home = async () => {
    await page.goto(`${url}/`)
    await heading('What needs your attention, Ada')
      .or(heading('What needs your attention'))
      .waitFor()
    // Since when something was read, the line below each heading has a button, a stop of the Tab key.
    await waitForOfflineReady(page)
  }
  const link = (name: string | RegExp) => page.getByRole('link', { name }).first()
  /** By the navigation; the screen that is left may show the same names. */
  const goTo = async (hand: Hand, name: string) => {
    await hand.click(page.getByRole('link', { name, exact: true }).first())
    await heading(name).waitFor()
  }
  const isDone = () =>
    waitUntil('the action is done', async () => {
      const { data } = (await ada.call('GET', '/api/v1/actions')) as {
        data: { title: string; status: string }[]
      }
      return data.some(({ title, status }) => title === 'Call Mira' && status === 'done')
    })
  const openByLetters = async (hand: Hand) => {
    await hand.press('Control+K')
    await page.getByRole('combobox').waitFor()
    await hand.press('n', 'o', 'r')
    const chosen = page.getByRole('option', { selected: true })
    await page.getByRole('option', { name: scene.account.name }).first().waitFor()
    while (!(await chosen.innerText()).startsWith(scene.account.name)) await hand.press('ArrowDown')
    await hand.press('Enter')
    await heading(scene.account.name).waitFor()
  }
  const passThree = async (hand: Hand) => {
    const shown = page.getByRole('heading', { level: 2 }).first()
    for (let at = 0; at < 3; at += 1) {
      await waitUntil('the plan has the focus', () =>
        shown.evaluate((element) => element === document.activeElement),
      )
      const title = await shown.innerText()
      await hand.press('Control+Shift+Enter')
      await waitUntil('the next plan is shown', async () => (await shown.innerText()) !== title)
    }
  }
  const countAll = async (
    tasks: readonly ((hand: Hand) => Promise<unknown>)[],
    names: string[],
  ) => {
    const counted: string[] = []
    for (const [at, perform] of tasks.entries()) {
      const hand = new Hand(page)
      await perform(hand)
      counted.push(`${names[at]?.replace(/: \d+$/, '')}: ${hand.count}`)
    }
    return counted
  }
  return {
    ...scene,
    page,
    passed,
    heading,
    home,
    link,
    goTo,
    isDone,
    openByLetters,
    passThree,
    countAll,
  }
}

test('the everyday tasks take as many clicks and keys as documented', async () => {
  const desk = await openDesk()
  const { account, ada, passed, plan, url } = desk
  const { page, heading, home, link, goTo, isDone, openByLetters, passThree } = desk

  const tasks: ((hand: Hand) => Promise<unknown>)[] = [
    async (hand) => {
      await home()
      await goTo(hand, 'Success plans')
      await hand.click(link(/^At risk or off track/))
      await page.getByText('Off the path').first().waitFor()
    },
    async (hand) => {
      await home()
      await goTo(hand, 'Accounts')
      await hand.click(page.getByText(account.name).first())
      await heading(account.name).waitFor()
      await page.getByText('Call Mira').first().waitFor()
    },
    async (hand) => {
      await home()
      await goTo(hand, 'Success plans')
      await hand.click(planRow(page, plan))
      await composer(page).fill('They signed.')
      await hand.click(page.getByRole('button', { name: 'Post update' }))
      await page.getByRole('article').filter({ hasText: 'They signed.' }).waitFor()
    },
    async (hand) => {
      await home()
      await hand.click(page.getByRole('checkbox', { name: /Call Mira/ }))
      await isDone()
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
      await goTo(hand, 'Success plans')
      await hand.click(page.getByRole('button', { name: 'Filter', exact: true }))
      await hand.choose(page.getByLabel('Owner', { exact: true }), 'Dara Finch')
      await page.getByText('17 of').first().waitFor()
      await hand.click(page.getByRole('checkbox', { name: 'Select all' }))
      const bar = page.getByRole('region', { name: 'Selected plans' })
      await bar.getByText('17 selected').waitFor()
      await hand.click(bar.getByRole('button', { name: 'Owner' }))
      await hand.click(page.locator('[role^=menuitem]:visible', { hasText: ada.name }))
      await page.getByText('Owner of 17 plans changed').waitFor()
    },
    async (hand) => {
      await home()
      await openByLetters(hand)
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
      await passThree(hand)
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
  expect(await desk.countAll(tasks, documented)).toEqual(documented)
})

longTest('by keyboard alone, they take as many keys as documented', async () => {
  const desk = await openDesk()
  const { page, plan, heading, link, isDone, openByLetters, passThree } = desk
  const option = (name: string | RegExp) => page.getByRole('option', { name, selected: true })
  /** Home as keys open it: its heading has the focus. */
  const home = async () => {
    await desk.home()
    await new Hand(page).press('g', 'p')
    await heading('Success plans').waitFor()
    await new Hand(page).press('g', 'h')
    await page.locator('h1:focus', { hasText: 'What needs your attention' }).waitFor()
  }
  const tasks: ((hand: Hand) => Promise<unknown>)[] = [
    async (hand) => {
      await home()
      await hand.press('g', 'p')
      await heading('Success plans').waitFor()
      await hand.tabTo(link(/^At risk or off track/))
      await hand.press('Enter')
      await page.getByText('Off the path').first().waitFor()
    },
    async (hand) => {
      await home()
      await hand.press('Control+K')
      await page.getByRole('combobox').waitFor()
      await hand.press('l', 'a', 'u')
      await option(new RegExp(plan.title)).waitFor()
      await hand.press('Enter')
      await heading(plan.title).waitFor()
      await hand.tabTo(composer(page))
      await composer(page).pressSequentially('They signed.')
      await hand.press('Control+Enter')
      await page.getByRole('article').filter({ hasText: 'They signed.' }).waitFor()
    },
    async (hand) => {
      await home()
      await hand.tabTo(page.getByRole('checkbox', { name: /Call Mira/ }))
      await hand.press('Space')
      await isDone()
    },
    async (hand) => {
      await home()
      await openByLetters(hand)
    },
    async (hand) => {
      await home()
      await hand.press('Control+K')
      await page.getByRole('combobox').waitFor()
      await hand.press('r', 'e', 'v')
      await option(/Start a review/).waitFor()
      await hand.press('Enter')
      await hand.tabTo(page.getByRole('button', { name: /^Review \d+ plans$/ }))
      await hand.press('Enter')
      await passThree(hand)
    },
  ]
  expect(await desk.countAll(tasks, documentedKeys)).toEqual(documentedKeys)
})
