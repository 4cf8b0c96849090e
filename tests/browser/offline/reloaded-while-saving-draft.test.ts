// The page is reloaded while a draft is being stored. The browser aborts the open transaction, and a save
// that starts on leaving must neither wait behind it nor be lost with it.
import { expect, test } from 'vitest'
import { composer } from '../fixtures/app.ts'
import { openPlanFixture } from '../fixtures/open-plan-fixture.ts'
import { waitUntil } from '../fixtures/wait-until.ts'
import { longTest } from '../../long-test.ts'

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

longTest(
  'a text is kept when the browser drops the last transactions of a page that goes away',
  async () => {
    const { page } = await openPlanFixture()
    await page.evaluate(() => {
      // They are lost when they had to wait for others.
      const begin = Reflect.get(IDBDatabase.prototype, 'transaction') as (
        names: unknown,
        mode?: IDBTransactionMode,
      ) => IDBTransaction
      const dropAll = () => {
        IDBDatabase.prototype.transaction = function (names: unknown, mode?: IDBTransactionMode) {
          const transaction = begin.call(this, names, mode)
          transaction.abort()
          return transaction
        }
      }
      addEventListener('pagehide', dropAll, { capture: true })
    })
    // Left before the text is stored because of a pause.
    await composer(page).evaluate((field: HTMLTextAreaElement, text) => {
      field.focus()
      document.execCommand('insertText', false, text)
      dispatchEvent(new PageTransitionEvent('pagehide'))
      location.reload()
    }, TEXT)
    await page.getByText('Draft restored').waitFor()
    expect(await composer(page).inputValue()).toBe(TEXT)
  },
)
