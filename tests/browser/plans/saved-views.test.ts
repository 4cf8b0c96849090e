// Saved views stay on the device on which they were made, get lost without a network, come back after their
// deletion, or cannot be named above an on-screen keyboard.
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import type { ApiUser } from '../fixtures/api-user.ts'
import { openPlans, signIn, waitForOfflineReady } from '../fixtures/app.ts'
import { createBrowserFixture } from '../fixtures/browser-fixture.ts'
import { waitUntil } from '../fixtures/wait-until.ts'
import { longTest } from '../../long-test.ts'

const view = (page: Page, name: string) => page.getByRole('link', { name, exact: true })

const openViews = (page: Page) => page.getByRole('button', { name: 'Saved views' }).click()

/** Opens the plans again, with the panel of views. */
async function reopen(page: Page, url: string): Promise<void> {
  await page.goto(`${url}/success-plans`)
  await openViews(page)
}

async function save(page: Page, name: string): Promise<void> {
  await page.getByLabel('Name of the view').fill(name)
  await page.getByRole('button', { name: 'Save view' }).click()
  await view(page, name).waitFor()
}

const namesOnServer = async (user: ApiUser) => {
  const { data } = (await user.call('GET', '/api/v1/saved-views')) as { data: { name: string }[] }
  return data.map(({ name }) => name)
}

const onServer = (user: ApiUser, ...names: string[]) =>
  waitUntil(`the server has ${names.join(' and ') || 'no view'}`, async () => {
    return JSON.stringify(await namesOnServer(user)) === JSON.stringify(names)
  })

longTest(
  'a view is there on another device, one saved offline arrives later, a deleted one stays deleted',
  async () => {
    const scene = await createBrowserFixture({ usedBefore: true })
    const { ada, browser, url } = scene
    const page = await openPlans(scene)
    await page.setViewportSize({ width: 1280, height: 800 })
    await page.getByRole('button', { name: 'Title' }).click()
    await openViews(page)
    await save(page, 'By title')
    await save(page, 'Second')
    await onServer(ada, 'By title', 'Second')

    const context = await browser.context.browser()?.newContext()
    if (!context) throw new Error('The browser is gone.')
    const other = await context.newPage()
    await other.setViewportSize({ width: 1280, height: 800 })
    await signIn(other, url, ada)
    await waitForOfflineReady(other)
    await openViews(other)
    await view(other, 'By title').click()
    const heading = other.getByRole('columnheader', { name: 'Title' })
    await expect.poll(() => heading.getAttribute('aria-sort')).toBe('ascending')

    await browser.context.setOffline(true)
    await save(page, 'Made offline')
    await page.getByRole('button', { name: 'Delete “By title”' }).click()
    await view(page, 'By title').waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Delete “Second”' }).click()
    await page.getByText('View “Second” deleted').waitFor()
    const undo = page.getByRole('button', { name: 'Undo' }).last()
    // With the focus it stays.
    await undo.focus()
    await view(page, 'Second').waitFor({ state: 'detached' })
    await undo.click()
    // The press is outside of the panel, which stays open.
    await view(page, 'Second').waitFor()
    await reopen(page, url)
    await view(page, 'Made offline').waitFor()
    await view(page, 'Second').waitFor()
    expect(await view(page, 'By title').count()).toBe(0)
    // The other device keeps what it has read.
    await reopen(other, url)
    await view(other, 'By title').waitFor()

    await browser.context.setOffline(false)
    await onServer(ada, 'Second', 'Made offline')
    for (const device of [page, other]) {
      await reopen(device, url)
      await view(device, 'Made offline').waitFor()
      await view(device, 'Second').waitFor()
      await view(device, 'By title').waitFor({ state: 'detached' })
    }
    await onServer(ada, 'Second', 'Made offline')
    await context.close()
  },
)

test('views that an earlier version kept on the device are sent', async () => {
  const scene = await createBrowserFixture({ usedBefore: true })
  const { ada, url } = scene
  const page = await openPlans(scene)
  await page.setViewportSize({ width: 1280, height: 800 })
  const { data } = (await ada.call('GET', '/api/v1/userinfo')) as { data: { id: string } }
  await page.evaluate(
    async ([user = '', organisation = '', viewId = '']) => {
      const database = await new Promise<IDBDatabase>((resolve, reject) => {
        const request = indexedDB.open('cairn')
        request.onsuccess = () => resolve(request.result)
        request.onerror = () => reject(request.error ?? new Error('It does not open.'))
      })
      const writing = database.transaction('cache', 'readwrite')
      const views = [{ id: viewId, name: 'Of old', search: 'view=mine' }]
      writing.objectStore('cache').put(views, [user, organisation, '=saved-views'])
      await new Promise((resolve) => writing.addEventListener('complete', resolve))
      database.close()
    },
    [data.id, scene.organisation.id, '0198c0de-0000-7000-8000-000000000001'],
  )
  await reopen(page, url)
  await view(page, 'Of old').waitFor()
  await onServer(ada, 'Of old')
})

/** When the window has been laid out for a new size, and its listeners have run. */
const nextFrames = (page: Page) =>
  page.evaluate(async () => {
    for (let frame = 0; frame < 3; frame += 1)
      await new Promise((resolve) => requestAnimationFrame(resolve))
  })

longTest(
  'a view is named while an on-screen keyboard makes a sideways phone shorter, and the page scrolls',
  async () => {
    const scene = await createBrowserFixture({ usedBefore: true })
    const page = await openPlans(scene)
    await page.setViewportSize({ width: 800, height: 360 })
    await page.goto(`${scene.url}/success-plans?view=mine`)
    await openViews(page)
    const field = page.getByLabel('Name of the view')
    await field.fill('Harbour')
    const height = 160
    await page.setViewportSize({ width: 800, height })
    await nextFrames(page)
    const isWhole = async () => {
      const { y, height: own } = (await field.boundingBox()) ?? { y: -1, height: 0 }
      return y >= 0 && y + own <= height
    }
    expect(await isWhole()).toBe(true)
    for (const top of [200, 0]) {
      await page.evaluate((to) => window.scrollTo(0, to), top)
      await nextFrames(page)
      expect(await isWhole()).toBe(true)
    }
    expect(await field.inputValue()).toBe('Harbour')
    await page.getByRole('button', { name: 'Save view' }).click()
    await view(page, 'Harbour').waitFor()
    // Once nothing in it has the focus, it goes with what it belongs to.
    await page.getByRole('button', { name: 'Save view' }).blur()
    await page.setViewportSize({ width: 800, height: 360 })
    await view(page, 'Harbour').waitFor({ state: 'detached' })
  },
)
