// From the click on "Post update" to "Saved on this device", without a network, beside the least work
// with the same guarantee: one strict transaction that writes the operation and deletes the draft, then a text
// on the same page.
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { waitUntil } from '../tests/browser/fixtures/wait-until.ts'
import { Browser } from './browser.ts'
import type { Place, Scenario } from './measure.ts'
import { copyProfile, seededProfile } from './seeded-profile.ts'

const SLOWDOWN = 4
/** Milliseconds between posts: until the last one is on the screen and the longest timer has run. */
const REST_MS = 2_000

/** In the page: posts as a user does. Milliseconds from the click to the painted text. */
async function post(text: string): Promise<number> {
  const frame = () => new Promise(requestAnimationFrame)
  const form = document.querySelector('form:has(textarea)')
  const area = form?.querySelector('textarea')
  const button = form?.querySelector<HTMLButtonElement>('[type=submit]')
  const status = button?.parentElement?.querySelector('output')
  if (!area || !status || !button) throw new Error('The composer is not there.')
  // React overrides the setter on the element, so use the prototype's.
  const value = Object.getOwnPropertyDescriptor(HTMLTextAreaElement.prototype, 'value')
  value?.set?.call(area, text)
  area.dispatchEvent(new Event('input', { bubbles: true }))
  while (status.textContent !== '') await frame()
  const saved = new Promise<void>((resolve) => {
    new MutationObserver((_, watch) => {
      if (!status.textContent?.includes('Saved on this device')) return
      watch.disconnect()
      resolve()
    }).observe(status, { subtree: true, childList: true, characterData: true })
  })
  // A click comes at any time within a frame.
  await new Promise<void>((resolve) => void window.setTimeout(resolve, Math.random() * 17))
  const from = performance.now()
  button.click()
  await saved
  await frame()
  return performance.now() - from
}

/** In the page: the floor. */
async function saveWithIndexedDb(text: string): Promise<number> {
  const frame = () => new Promise(requestAnimationFrame)
  const word = document.body.appendChild(document.createElement('output'))
  const open = indexedDB.open('floor', 1)
  open.onupgradeneeded = () => {
    for (const table of ['operations', 'drafts']) open.result.createObjectStore(table)
  }
  await new Promise((resolve) => (open.onsuccess = resolve))
  const typed = open.result.transaction('drafts', 'readwrite')
  typed.objectStore('drafts').put(text, 'update')
  await new Promise((resolve) => (typed.oncomplete = resolve))
  // A click comes at any time within a frame.
  await new Promise<void>((resolve) => void window.setTimeout(resolve, Math.random() * 17))
  const from = performance.now()
  const tables = ['operations', 'drafts']
  const transaction = open.result.transaction(tables, 'readwrite', { durability: 'strict' })
  transaction.objectStore('operations').put({ text, attempts: 0 }, crypto.randomUUID())
  transaction.objectStore('drafts').delete('update')
  await new Promise((resolve) => (transaction.oncomplete = resolve))
  word.textContent = 'Saved on this device'
  await frame()
  const taken = performance.now() - from
  word.remove()
  open.result.close()
  return taken
}

export async function saveLatency({ folder, ends }: Place): Promise<Scenario> {
  const primed = await seededProfile(folder)
  const { app, plans } = primed
  const profile = await copyProfile(primed, join(folder, 'profile-saved'))
  const browser = ends.use(await Browser.start(profile, { offline: true, slowdown: SLOWDOWN }))
  await browser.goto(`${app}/success-plans/${plans[0]?.id}`)
  await waitUntil('the composer is rendered', () =>
    browser.run(() => document.querySelector('form textarea') !== null),
  )
  let posted = 0
  return {
    measures: { 'saved-on-this-device': { unit: 'ms', goal: { at: 'most', ratio: 2 } } },
    async sample(side) {
      posted += 1
      const text = `All fifteen sites are live, day ${posted}.`
      const work = side === 'ours' ? post : saveWithIndexedDb
      await setTimeout(REST_MS)
      return { 'saved-on-this-device': await browser.run(work, text) }
    },
  }
}
