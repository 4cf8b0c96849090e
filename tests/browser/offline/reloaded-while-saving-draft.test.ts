// The page is reloaded while the transaction that stores a draft is open. The browser aborts it, and a
// save that starts on leaving must not wait behind it.
import { expect, test } from 'vitest'
import { composer } from '../fixtures/app.ts'
import { openPlanFixture } from '../fixtures/open-plan-fixture.ts'
import { waitUntil } from '../fixtures/wait-until.ts'

const TEXT = 'Typed just before the page was reloaded.'

test('a text is kept when the page is reloaded while its draft is being stored', async () => {
  const { page } = await openPlanFixture()
  // On a slow device the transaction stays open for long: here until the page is gone.
  await page.evaluate(() => {
    const commit: () => void = Reflect.get(IDBTransaction.prototype, 'commit')
    IDBTransaction.prototype.commit = function () {
      if (![...this.objectStoreNames].includes('session')) return commit.call(this)
      document.documentElement.dataset['saving'] = 'yes'
      const keepOpen = () => {
        this.objectStore('session').count().onsuccess = keepOpen
      }
      keepOpen()
    }
  })
  await composer(page).fill(TEXT)
  await waitUntil('the draft is being stored', () =>
    page.evaluate(() => document.documentElement.dataset['saving']),
  )
  await page.reload()
  await expect.poll(() => composer(page).inputValue()).toBe(TEXT)
})
