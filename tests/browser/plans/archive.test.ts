// An organisation leaves as one file and arrives in another one, both without a network.
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { SuccessPlan, SuccessPlanUpdate } from '../../../contract/schemas/success-plans.ts'
import { fillSignIn, waitForOfflineReady } from '../fixtures/app.ts'
import { ApiUser } from '../fixtures/api-user.ts'
import { axeViolationsOf } from '../fixtures/axe-violations.ts'
import { createBrowserFixture } from '../fixtures/browser-fixture.ts'
import { addMember } from '../fixtures/member-fixture.ts'
import { waitUntil } from '../fixtures/wait-until.ts'

test('an organisation is exported offline, imported offline into an empty one, and sent once', async () => {
  const scene = await createBrowserFixture()
  const { ada, browser, network, organisation, plan, server, url } = scene
  await ada.postUpdate(plan, {
    body: 'Waiting for the audit.',
    status: 'paused',
    written_at: '2025-11-03T10:00:00Z',
  })
  const bob = await addMember(scene, 'Bob Tarn')
  await bob.postUpdate(plan, { body: 'The audit has a date.' })
  const { data: members } = (await ada.call('GET', '/api/v1/organisation-users')) as {
    data: { id: string; name: string }[]
  }
  const membership = members.find(({ name }) => name === bob.name)
  await ada.call('DELETE', `/api/v1/organisation-users/${membership?.id}`)
  const elsewhere = new ApiUser(server.url, scene.founder)
  await elsewhere.signIn()
  const valley = await elsewhere.createOrganisation('Valley Works')
  const page = await browser.open(`${url}/success-plans`)
  await fillSignIn(page, ada)
  const choices = page.getByRole('list', { name: 'Your organisations' })
  await choices.getByRole('button', { name: valley.name }).click()
  await page.getByText('No success plans yet').waitFor()
  await waitForOfflineReady(page)
  await page.getByRole('link', { name: /^Organisation: / }).click()
  await choices.getByRole('button', { name: organisation.name }).click()
  await page
    .getByRole('link', { name: `Organisation: ${organisation.name}` })
    .first()
    .waitFor()
  await page.goto(`${url}/success-plans`)
  await page.getByRole('link', { name: plan.title }).waitFor()
  await waitForOfflineReady(page)

  await network.goDown()
  await page.goto(`${url}/settings/organisation/general`)
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Export organisation' }).click()
  const file = await download
  expect(file.suggestedFilename()).toMatch(/\.cairn\.zip$/)
  const path = join(await mkdtemp(join(tmpdir(), 'cairn-archive-')), file.suggestedFilename())
  await file.saveAs(path)
  const faults = await axeViolationsOf(page, 'general settings')

  await page.goto(`${url}/organisations`)
  await choices.getByRole('button', { name: valley.name }).click()
  await page
    .getByRole('link', { name: `Organisation: ${valley.name}` })
    .first()
    .waitFor()
  await page.goto(`${url}/settings/organisation/general`)
  await page.getByRole('link', { name: 'Import an archive' }).click()
  await page.getByLabel('Archive', { exact: true }).setInputFiles(path)
  await page.getByRole('row', { name: /^Plans 3 0$/ }).waitFor()
  faults.push(...(await axeViolationsOf(page, 'preview of an archive')))
  expect(faults).toEqual([])
  await page.getByRole('button', { name: /^Add \d+ records$/ }).click()
  await page.getByText('They are sent when you are online.').waitFor()
  await page.getByRole('button', { name: 'Import another archive' }).click()
  await page.getByLabel('Archive', { exact: true }).setInputFiles(path)
  await page.getByText('Everything in this archive is here already.').waitFor()

  await network.goUp()
  const plans = async () =>
    ((await elsewhere.call('GET', '/api/v1/success-plans?per_page=500')) as { data: SuccessPlan[] })
      .data
  const { last_update_at } = await ada.readPlan(plan)
  // They arrive one after another; the status of a plan, before its last update.
  const sent = await waitUntil('the plans and their updates are on the server', async () => {
    const all = await plans()
    const isPaused = ({ status, last_update_at: last }: SuccessPlan) =>
      status === 'paused' && last === last_update_at
    return all.length >= 3 && all.some(isPaused) ? all : undefined
  })
  expect(sent).toHaveLength(3)
  const paused = sent.find(({ status }) => status === 'paused')
  expect(paused?.title).toBe(plan.title)
  const { data: updates } = (await elsewhere.call(
    'GET',
    `/api/v1/success-plans/${paused?.id}/updates`,
  )) as { data: SuccessPlanUpdate[] }
  expect(updates.filter(({ body }) => body.startsWith('Waiting for the audit.'))).toMatchObject([
    { written_at: '2025-11-03T10:00:00.000Z' },
  ])
  // Of a colleague who has left, the name arrives as well.
  const bodies = updates.map(({ body }) => body)
  expect(bodies).toContain('The audit has a date.\n\nWritten by Bob Tarn')
})
