// Where most proofs begin: somebody is signed in, the organisation is on the device, a plan is open.
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { openPlan, readyForTheAir, SAVED, signIn } from './app.ts'
import type { Exchange } from './fault-server.ts'
import { setScene, type Scene, type SceneOptions } from './scene.ts'
import { until } from './until.ts'

export const UPDATES = /\/updates$/
export const TOKEN = /^\/oauth\/token$/

export interface AtAPlan extends Scene {
  page: Page
}

export async function atAPlan(options?: SceneOptions): Promise<AtAPlan> {
  const scene = await setScene(options)
  const page = await scene.browser.open()
  await signIn(page, scene.url, scene.ada)
  await readyForTheAir(page)
  await openPlan(page, scene.plan)
  return { ...scene, page }
}

/** Another tab of the same person, on the same plan. */
export async function anotherTab({ browser, plan, url }: Scene): Promise<Page> {
  const page = await browser.open(`${url}/success-plans/${plan.id}`)
  await page.getByRole('heading', { name: plan.title, level: 1 }).waitFor()
  return page
}

/** Waits until nothing waits on the screen, and checks that the server has each text once. */
export async function areSentOnce(
  { ada, plan }: Scene,
  page: Page,
  ...texts: string[]
): Promise<void> {
  for (const text of texts)
    await until(`the server has “${text}”`, async () => {
      const there = await ada.updatesSaying(plan, text)
      return there.length > 0
    })
  await page.getByText(SAVED).first().waitFor({ state: 'detached' })
  for (const text of texts)
    expect([text, (await ada.updatesSaying(plan, text)).length]).toEqual([text, 1])
}

/** How many keys those exchanges had. */
export const keysOf = (exchanges: readonly Exchange[]): number =>
  new Set(exchanges.map(({ key }) => key)).size

/**
 * Freezes a tab of the app between two transactions: one that is open would keep all others out for as
 * long as it is frozen. Returns what thaws it.
 */
export async function freezeAtRest({ browser }: Scene, page: Page): Promise<() => Promise<void>> {
  await page.evaluate(async () => {
    const database = await new Promise<IDBDatabase>((resolve) => {
      const request = indexedDB.open('cairn')
      request.onsuccess = () => resolve(request.result)
    })
    await new Promise((resolve) => {
      const all = database.transaction([...database.objectStoreNames], 'readwrite')
      all.oncomplete = resolve
    })
    database.close()
  })
  return await browser.freeze(page)
}
