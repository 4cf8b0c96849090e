// A user is removed from the organisation with an update pending: it is not applied, and not lost
// either.
import { expect, test } from 'vitest'
import type { OrganisationUser } from '../../../contract/schemas/people.ts'
import {
  cardIn,
  composer,
  openPlan,
  post,
  waitForOfflineReady,
  waitForRecords,
  SAVED,
  signIn,
} from '../fixtures/app.ts'
import { UPDATES_PATH } from '../fixtures/open-plan-fixture.ts'
import { addMember } from '../fixtures/member-fixture.ts'
import { isStored } from '../fixtures/readable-storage.ts'
import { createBrowserFixture } from '../fixtures/browser-fixture.ts'

const TEXT = 'Posted by a former member.'

test('a removed member’s pending update is rejected, keeps its text and names whom to ask', async () => {
  const scene = await createBrowserFixture()
  const { ada, browser, network, plan, url } = scene
  const cleo = await addMember(scene, 'Cleo Marsh')
  const page = await browser.open()
  await signIn(page, url, cleo)
  await waitForOfflineReady(page)
  await waitForRecords(scene, page)
  await openPlan(page, plan)
  await browser.context.setOffline(true)
  await post(page, TEXT)
  await cardIn(page, TEXT, SAVED).waitFor()

  const members = (await ada.call('GET', '/api/v1/organisation-users')) as {
    data: OrganisationUser[]
  }
  const membership = members.data.find(({ name }) => name === cleo.name)
  await ada.call('DELETE', `/api/v1/organisation-users/${membership?.id}`)
  await browser.context.setOffline(false)
  await page.getByRole('button', { name: /Sync: Needs attention/ }).click()
  const panel = page.getByRole('dialog', { name: 'Sync' })
  await panel.getByText(TEXT).waitFor()
  await panel.getByText(/You may not do this in Ridge and Partners/).waitFor()
  await panel.getByRole('button', { name: 'Copy' }).waitFor()
  expect(network.requests('POST', UPDATES_PATH).map(({ status }) => status)).toEqual([403])
  expect(await ada.updatesWithText(plan, TEXT)).toEqual([])
  expect(await isStored(page, TEXT)).toBe(true)
  await page.keyboard.press('Escape')
  expect(await composer(page).inputValue()).toBe('')
})
